import { z } from 'zod';
import { ask, Slot } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

export interface ProgramTransaction {
  /** Base58. */
  signature: string;
  slot: number;
  /** Whether its execution failed. */
  failed: boolean;
}

/** How far the program's history has been read. */
export interface HistoryCursor {
  /** Base58. */
  signature: string;
  slot: number;
}

export interface ProgramHistory {
  /** Oldest first. */
  transactions: ProgramTransaction[];
  /** Whether these are all since the cursor. Otherwise every account must be read to find the changes. */
  complete: boolean;
}

const SIGNATURES_PER_PAGE = 1_000;
/** Beyond this, reading every permit is cheaper, and memory stays bounded. */
const MOST_PAGES = 3;

export const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** A missing `err` does not mean success. */
const Err = z.custom<unknown>((err) => err !== undefined);
const Signature = z.object({ signature: z.string().max(88).regex(BASE58), slot: Slot, err: Err });
const Signatures = z.array(z.unknown());

/**
 * Reads the transactions of a program, or of another account, after a cursor; without one, some of the newest. Where the node has pruned
 * the cursor's transaction, its slot ends the search.
 * @param mostPages of a thousand transactions
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function readHistory(
  rpc: JsonRpc,
  address: string,
  since: HistoryCursor | null,
  { commitment, mostPages }: { commitment: 'confirmed' | 'finalized'; mostPages: number } = {
    commitment: 'confirmed',
    mostPages: MOST_PAGES,
  },
): Promise<ProgramHistory> {
  const found: ProgramTransaction[] = [];
  let complete = since !== null;
  for (let page = 1; ; page++) {
    const before = found.at(-1)?.signature;
    const options = {
      commitment,
      limit: SIGNATURES_PER_PAGE,
      // a node that lags behind the cursor does not have it, and would return everything before it
      ...(since !== null && { until: since.signature, minContextSlot: since.slot }),
      ...(before !== undefined && { before }),
    };
    const given = await ask(rpc, Signatures, 'getSignaturesForAddress', [address, options]);
    const known = given.flatMap((entry) => Signature.safeParse(entry).data ?? []);
    if (known.length < given.length) complete = false;
    const fresh = known.filter(({ slot }) => since === null || slot >= since.slot);
    found.push(...fresh.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null })));
    const ended = given.length < SIGNATURES_PER_PAGE || fresh.length < known.length || fresh.length === 0;
    if (ended || page === mostPages || since === null) {
      return { transactions: found.reverse(), complete: complete && ended };
    }
  }
}
