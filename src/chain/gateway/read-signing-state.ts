import { cannotSignFor } from '@fan-api/cosign-policy/marketplace';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import type { AccountValues } from '@fan-api/cosign-policy/read-account';
import { z } from 'zod';
import { unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { decodeReading, type PermitAccount, readRaw, requireReadable, toPermit } from './read-accounts.ts';
import { shareReads } from './share-reads.ts';

/** The onchain state of listings that are to be co-signed. */
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

const Holder = z.object({ owner: z.string(), executable: z.boolean() });

/** Requests of four listings per `getMultipleAccounts`: each has its permits and marketplaces; the Config account is read once. */
const MOST_REQUESTS = 12;

/**
 * Reads what co-signing needs, for concurrent requests in one call, and so at one slot. One with a `notBefore` is read alone.
 * @returns a function that throws DomainError `unavailable` where the cluster is unreachable, or returns a malformed account
 */
export function createSigningStateReader(
  rpc: JsonRpc,
  programId: string,
): (question: SigningQuestion) => Promise<SigningState> {
  const ask = shareReads(
    (questions: readonly SigningQuestion[]) => readTogether(rpc, programId, questions),
    MOST_REQUESTS,
  );
  return async (question) => {
    if (question.notBefore === 0) return ask(question);
    const [state] = await readTogether(rpc, programId, [question]);
    if (!state || state instanceof Error) throw state ?? unavailable();
    return state;
  };
}

async function readTogether(
  rpc: JsonRpc,
  programId: string,
  questions: readonly SigningQuestion[],
): Promise<(SigningState | Error)[]> {
  const config = configAddress(programId).address;
  const wanted = questions.flatMap(({ permits, marketplaces }) => [...permits, ...marketplaces]);
  const addresses = [...new Set([config, ...wanted])];
  const { values, slot } = await readRaw(rpc, addresses, Math.max(...questions.map(({ notBefore }) => notBefore)));
  const accounts = new Map(addresses.map((address, index) => [address, values[index]]));
  return questions.map(({ permits, marketplaces }) => {
    try {
      return {
        slot,
        config: requireReadable(decodeReading(programId, 'Config', accounts.get(config), slot)),
        permits: permits.map((address) => {
          const permit = requireReadable(decodeReading(programId, 'Permit', accounts.get(address), slot));
          return permit && toPermit(permit);
        }),
        cannotSign: new Set(marketplaces.filter((address) => cannotSign(programId, accounts.get(address)))),
      };
    } catch (error) {
      return error instanceof Error ? error : unavailable(error);
    }
  });
}

function cannotSign(programId: string, given: unknown): boolean {
  if (given === null) return false;
  const { data: account } = Holder.safeParse(given);
  if (!account) throw unavailable(new Error('The node gives an account in a form that is not known'));
  return cannotSignFor(account, programId);
}
