import { z } from 'zod';
import type { AccountValues } from '../instruction/account-data.ts';
import { configAddress } from '../instruction/program-addresses.ts';
import { ask, at, CONFIRMED, unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { type PermitAccount, toPermit } from './permit-account.ts';
import { readOne, requireReadable } from './read-accounts.ts';

/** What the chain says about a listing that is to be co-signed. */
export interface SigningState {
  /** When this was so. */
  slot: number;
  /** Undefined where the program has none. */
  config: AccountValues<'Config'> | undefined;
  /** In the order of the question; undefined where there is no Permit account. */
  permits: (PermitAccount | undefined)[];
  /** The marketplaces for which nobody can sign: accounts of the ticket program, programs, sysvars. */
  cannotSign: ReadonlySet<string>;
}

/** Owner of the accounts that hold the cluster's own state, such as the clock. */
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

const Accounts = at(z.array(z.unknown()));
const Holder = z.object({ owner: z.string(), executable: z.boolean() });

/**
 * Reads what must be known to co-sign listings in one call, and so at one slot.
 * @param marketplaces addresses that the listings name
 * @throws DomainError `unavailable` where the cluster can't be asked, or gives a malformed account: that is the node's fault
 */
export async function readSigningState(
  rpc: JsonRpc,
  programId: string,
  permits: readonly string[],
  marketplaces: readonly string[],
): Promise<SigningState> {
  const addresses = [configAddress(programId).address, ...permits, ...marketplaces];
  const options = { ...CONFIRMED, encoding: 'base64' };
  const { context, value } = await ask(rpc, Accounts, 'getMultipleAccounts', [addresses, options]);
  if (value.length !== addresses.length)
    throw unavailable(new Error(`${value.length} accounts for ${addresses.length}`));
  const [config, ...others] = value;
  const cannotSign = (given: unknown) => {
    if (given === null) return false;
    const { data: account } = Holder.safeParse(given);
    if (!account) throw unavailable(new Error('The node gives an account in a form that is not known'));
    return account.owner === programId || account.executable || account.owner === SYSVAR_OWNER;
  };
  return {
    slot: context.slot,
    config: requireReadable(readOne(programId, 'Config', config, context.slot)),
    permits: permits.map((_, index) => {
      const permit = requireReadable(readOne(programId, 'Permit', others[index], context.slot));
      return permit && toPermit(permit);
    }),
    cannotSign: new Set(marketplaces.filter((_, index) => cannotSign(others[permits.length + index]))),
  };
}
