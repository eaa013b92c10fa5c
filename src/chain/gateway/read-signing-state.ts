import { z } from 'zod';
import type { AccountValues } from '../instruction/account-data.ts';
import { configAddress } from '../instruction/program-addresses.ts';
import { unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { decodeReading, type PermitAccount, readRaw, requireReadable, toPermit } from './read-accounts.ts';

/** What the chain says about listings that are to be co-signed. */
export interface SigningState {
  slot: number;
  /** Undefined before the program is initialised. */
  config: AccountValues<'Config'> | undefined;
  /** In the order of the addresses; undefined where there is no Permit account. */
  permits: (PermitAccount | undefined)[];
  /** The marketplaces for which nobody can sign: accounts of the ticket program, programs, sysvars. */
  cannotSign: ReadonlySet<string>;
}

interface SigningQuestion {
  readonly permits: readonly string[];
  /** Addresses in the listings. */
  readonly marketplaces: readonly string[];
  /** The slot that the state must have reached; 0 for any. */
  readonly notBefore: number;
}

/** Owner of the accounts that hold the cluster's own state, such as the clock. */
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

const Holder = z.object({ owner: z.string(), executable: z.boolean() });

/**
 * Reads what co-signing needs in one call, and so at one slot.
 * @throws DomainError `unavailable` where the cluster is unreachable, or returns a malformed account
 */
export async function readSigningState(
  rpc: JsonRpc,
  programId: string,
  { permits, marketplaces, notBefore }: SigningQuestion,
): Promise<SigningState> {
  const addresses = [configAddress(programId).address, ...permits, ...marketplaces];
  const { values, slot } = await readRaw(rpc, addresses, notBefore);
  const [config, ...others] = values;
  const cannotSign = (given: unknown) => {
    if (given === null) return false;
    const { data: account } = Holder.safeParse(given);
    if (!account) throw unavailable(new Error('The node gives an account in a form that is not known'));
    return account.owner === programId || account.executable || account.owner === SYSVAR_OWNER;
  };
  return {
    slot,
    config: requireReadable(decodeReading(programId, 'Config', config, slot)),
    permits: permits.map((_, index) => {
      const permit = requireReadable(decodeReading(programId, 'Permit', others[index], slot));
      return permit && toPermit(permit);
    }),
    cannotSign: new Set(marketplaces.filter((_, index) => cannotSign(others[permits.length + index]))),
  };
}
