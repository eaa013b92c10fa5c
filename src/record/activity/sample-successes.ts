import { JUDGED_OPERATIONS, OK } from './operations.ts';

const JUDGED: readonly string[] = JUDGED_OPERATIONS;
/** The period of the finest counts. */
const PERIOD_MS = 300_000;

/** What decides whether an entry of the log is kept. */
interface Counted {
  at: Date;
  client: unknown;
  operation: string;
  outcome: string;
  status: number;
  /** The number of requests that it is for. */
  weight: number;
}

/** Leaves most successes out of the request log, so that it stays small (`REQUEST_LOG_SUCCESSES`). */
export interface Sample<Entry> {
  /** @returns what to write now: the entry, with the weight of those left out before it, or nothing; and what a period has left */
  take(entry: Entry): Entry[];
  /** What is left at the end: one entry per kind for all that were left out since its last. */
  rest(): Entry[];
}

/**
 * Of each kind of success the first of five minutes is kept, and of the others a share by chance. What the others were is in the weights,
 * so that counts stay exact. Failures are kept, and so is what judges a lost answer (D-226).
 */
export function sampleSuccesses<Entry extends Counted>(share: number): Sample<Entry> {
  /** By kind: one entry for all that were left out since the last kept one. */
  let leftOut = new Map<string, Entry | undefined>();
  let period = 0;
  const rest = () => [...leftOut.values()].filter((entry) => entry !== undefined);
  return {
    rest,
    take(entry) {
      if (share === 1 || entry.outcome !== OK || JUDGED.includes(entry.operation)) return [entry];
      const began = Math.floor(entry.at.getTime() / PERIOD_MS);
      const ended = began > period ? rest() : [];
      if (began > period) leftOut = new Map();
      period = Math.max(began, period);
      const kind = `${entry.client} ${entry.operation} ${entry.status}`;
      const isFirst = !leftOut.has(kind);
      const summed = { ...entry, weight: entry.weight + (leftOut.get(kind)?.weight ?? 0) };
      const isKept = isFirst || Math.random() < share;
      leftOut.set(kind, isKept ? undefined : summed);
      return isKept ? [...ended, summed] : ended;
    },
  };
}
