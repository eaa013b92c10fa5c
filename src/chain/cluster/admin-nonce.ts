import { addressOf } from '@fan-api/solana-wire/base58';
import { NONCE_ACCOUNT_LENGTH, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { runOwnTransaction } from '../wallet/own-transaction.ts';
import type { Signer } from '../wallet/signer.ts';
import { fundAccount } from './fund-account.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

/** A value that replaces the blockhash of a transaction and stays valid until it is used. */
export interface DurableNonce {
  readonly value: string;
  /** The transaction's first instruction. */
  readonly advance: TransactionInstruction;
}

/** The address is derived from the payer's, so that no further key is stored. */
const SEED = 'admin nonce';
const INITIALIZED = 1;
const VALUE = 40;

/**
 * The nonce for transactions that are signed offline, made on first use. One at a time: the first to land voids the others.
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function adminNonce(cluster: Cluster, signer: Signer): Promise<DurableNonce> {
  const payer = new PublicKey(cluster.payer);
  const address = await addressFor(cluster);
  const value = (await readAdminNonce(cluster)) ?? (await create(cluster, signer, payer, address));
  return { value, advance: SystemProgram.nonceAdvance({ noncePubkey: address, authorizedPubkey: payer }) };
}

async function create(cluster: Cluster, signer: Signer, payer: PublicKey, address: PublicKey): Promise<string> {
  const place = { accountPubkey: address, basePubkey: payer, seed: SEED, programId: SystemProgram.programId };
  const instructions = [
    await fundAccount(cluster, address.toBase58(), NONCE_ACCOUNT_LENGTH),
    SystemProgram.allocate({ ...place, space: NONCE_ACCOUNT_LENGTH }),
    SystemProgram.nonceInitialize({ noncePubkey: address, authorizedPubkey: payer }),
  ];
  await runOwnTransaction(cluster, signer, instructions, []);
  const value = await readAdminNonce(cluster);
  if (value === undefined) throw new SetupError('The nonce account is not there yet. Repeat the command.');
  return value;
}

/** The value that the nonce has now; undefined before its first use. */
export async function readAdminNonce(cluster: Cluster): Promise<string | undefined> {
  const account = await cluster.gateway.account((await addressFor(cluster)).toBase58());
  if (account?.data.length !== NONCE_ACCOUNT_LENGTH || account.data.readUInt32LE(4) !== INITIALIZED) return undefined;
  return addressOf(account.data.subarray(VALUE, VALUE + 32));
}

function addressFor({ payer }: Cluster): Promise<PublicKey> {
  return PublicKey.createWithSeed(new PublicKey(payer), SEED, SystemProgram.programId);
}
