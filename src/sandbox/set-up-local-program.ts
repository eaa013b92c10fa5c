import { signEd25519 } from '@fan-api/solana-wire/ed25519';
import { LOCAL_ADMIN, LOCAL_ADMIN_SEED } from '@fan-api/ticket-program/local-keys';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Chain } from '../chain/chains.ts';
import { requireLocalNetwork } from '../chain/check-public-keys.ts';
import { encodeInstruction } from '../chain/instruction/instructions.ts';
import { runOwnTransaction } from '../chain/wallet/own-transaction.ts';
import type { Signer } from '../chain/wallet/signer.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;
const FUNDS = 1_000 * LAMPORTS_PER_SOL;

/**
 * Funds our payer and the admin on the local network, and sets our authority and payer in the program's configuration, replacing those of
 * an earlier database. The local admin's key is public. Where another process of this database does the same at the same time, one of the
 * two is refused and finds the work done.
 * @throws PublicKeyError on any other cluster, before anything is signed
 */
export async function setUpLocalProgram(chain: Chain, signer: Signer): Promise<void> {
  const { gateway, programId, authority, payer } = chain;
  await requireLocalNetwork(gateway);
  const config = await gateway.config();
  const isOurs = (found: typeof config) => found?.authority === authority && found.payer === payer;
  if (isOurs(config)) return;
  const admin = LOCAL_ADMIN;
  await Promise.all([gateway.airdrop(payer, FUNDS), gateway.airdrop(admin, FUNDS)]);
  const withAdmin: Signer = {
    ...signer,
    sign: (address, message) =>
      address === admin ? signEd25519(LOCAL_ADMIN_SEED, message) : signer.sign(address, message),
  };
  const instructions: TransactionInstruction[] = [];
  if (config === undefined) {
    instructions.push(encodeInstruction(programId, 'initialize_v1', { admin, authority, payer }, {}));
  }
  if (config && config.authority !== authority) {
    instructions.push(encodeInstruction(programId, 'rotate_authority_v1', { admin, new_authority: authority }, {}));
  }
  if (config && config.payer !== payer) {
    instructions.push(encodeInstruction(programId, 'rotate_payer_v1', { admin, new_payer: payer }, {}));
  }
  const signers = config?.authority === authority ? [admin] : [admin, authority];
  try {
    await runOwnTransaction(chain, withAdmin, instructions, signers);
  } catch (error) {
    if (!isOurs(await gateway.config())) throw error;
  }
}
