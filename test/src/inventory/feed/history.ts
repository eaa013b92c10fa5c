import type { TicketLine } from '../../../../src/inventory/feed/ticket-line.ts';

/** What a follower of the feed has read: the lines of each ticket in their order, by its reference. */
export type History = Map<string, Pick<TicketLine, 'holder' | 'status'>[]>;

export function remember(history: History, lines: readonly Pick<TicketLine, 'ticket' | 'holder' | 'status'>[]): void {
  for (const { ticket, holder, status } of lines) {
    const seen = history.get(ticket) ?? [];
    seen.push({ holder, status });
    history.set(ticket, seen);
  }
}

/** Tickets in tests of histories carry a number that each change of theirs counts up: as the wallet outside that has them. */
const versionOf = ({ holder }: Pick<TicketLine, 'holder'>) => Number(holder && 'wallet' in holder && holder.wallet);

/**
 * Judges what a follower has read.
 * @param truth the last version of each ticket
 * @returns what a reader of the feed must never see: a ticket that is wrong at the end, or went back on the way
 */
export function faultsOf(history: History, truth: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  for (const [ticket, version] of truth) {
    const seen = (history.get(ticket) ?? []).map(versionOf);
    if (seen.at(-1) !== version) faults.push(`${ticket}: ${seen.at(-1)} at the end instead of ${version}`);
    const back = seen.findIndex((each, at) => each < (seen[at - 1] ?? 0));
    if (back !== -1) faults.push(`${ticket}: ${seen[back]} after ${seen[back - 1]}`);
  }
  return faults;
}
