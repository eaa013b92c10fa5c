import { decodeAddress } from '@fan-api/solana-wire/base58';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PublicKey } from '@solana/web3.js';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import { ChainKey } from '../../entities/chain.ts';
import { Wallet } from '../../entities/wallet.ts';
import { DomainError } from '../../platform/errors.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/**
 * Checks that an address can be the wallet of somebody else: a point of Ed25519, for which a key can exist, and no wallet or key of
 * this service, in either mode.
 * @param address base58
 * @throws DomainError `invalid_request`, which names what is wrong
 */
export async function checkForeignWallet({ em }: { em: EntityManager }, address: string): Promise<void> {
  const bytes = decodeAddress(address);
  if (bytes === undefined) throw refused('is not a Solana address: it must be 32 bytes in base58.');
  if (!PublicKey.isOnCurve(bytes)) {
    throw refused('belongs to a program: no key can exist for it. Ask for the address of a wallet.');
  }
  if ((await em.count(Wallet, { address })) > 0) {
    throw refused('is the wallet of a fan of this service. A ticket leaves only to another wallet.');
  }
  if ((await em.count(ChainKey, { address })) > 0) throw refused('is a key of this service.');
}

/**
 * Checks on the cluster that an address is a wallet's: it has no account yet, or an empty one of the System program.
 * @throws DomainError `invalid_request`; `unavailable` where the cluster is unreachable
 */
export async function checkWalletAccount(gateway: Pick<ChainGateway, 'account'>, address: string): Promise<void> {
  const account = await gateway.account(address);
  if (account === undefined) return;
  if (account.executable) throw refused('is a program. Ask for the address of a wallet.');
  if (account.owner !== SYSTEM_PROGRAM || account.data.length > 0) {
    throw refused(`is an account of the program ${account.owner}. Ask for the address of a wallet.`);
  }
}

function refused(what: string): DomainError {
  return new DomainError('invalid_request', `The destination ${what}`);
}
