import type { ChainTransfer } from './chain-reader.ts';
import { phoneOf } from './decide-entry.ts';
import type { FeedLine } from './gate-memory.ts';
import type { Scan, SeasonHistory } from './history.ts';
import { isWrongRefund, type PlannedTicket } from './plan.ts';

/** What the judge found. */
export interface Verdict {
  /** One sentence each. */
  violations: string[];
  sales: number;
  /** Scans that were decided rightly by the gate's file and wrongly by the chain, because a sale was not in the file yet. */
  tooLate: number;
  /** From a sale on the chain to the gate's file. */
  worstDelayMs: number;
}

/** A sale on the chain, and when the gate's file had it. */
interface Sale extends ChainTransfer {
  ticket: string;
  /** Undefined: never. */
  knownAt: number | undefined;
}

/** A line of the feed, and when the gate had it. */
interface KnownLine {
  at: number;
  line: FeedLine;
}

/**
 * Judges a season. The chain says who holds a ticket. The gate may be wrong only as long as its file lacks a sale to the present
 * holder, and then it must still do what its file says; each sale has to be in the file within the limit.
 * @param limitMs for a sale on its way to the gate's file
 */
export function judgeSeason(history: SeasonHistory, limitMs: number): Verdict {
  const facts = gather(history);
  const sales = [...facts.sales.values()].flat();
  const scans = judgeScans(history, facts);
  const delays = sales.map(({ at, knownAt }) => Math.max(0, (knownAt ?? at) - at));
  return {
    sales: sales.length,
    tooLate: scans.tooLate,
    worstDelayMs: Math.max(0, ...delays),
    violations: [
      ...scans.violations,
      ...judgeArrival(facts, limitMs),
      ...judgeRights(history, facts),
      ...judgeEnd(history, facts),
      ...judgeImports(history),
    ],
  };
}

interface Facts {
  tickets: Map<string, PlannedTicket>;
  /** By ticket, in the order of the chain. */
  sales: Map<string, Sale[]>;
  /** Permits that were sold and that no partner has seen. */
  unknown: string[];
  /** By ticket, in the order of the gate's file. */
  lines: Map<string, KnownLine[]>;
  entries: Map<string, string>;
  /** When the service had answered that a ticket is used. */
  told: Map<string, number>;
}

function gather({ tickets, permits, transfers, records }: SeasonHistory): Facts {
  const lines = new Map<string, KnownLine[]>();
  for (const record of records) {
    if (record.kind !== 'read') continue;
    for (const line of record.lines) {
      lines.set(line.ticket, [...(lines.get(line.ticket) ?? []), { at: record.at, line }]);
    }
  }
  const ticketOf = new Map([...permits].map(([ticket, permit]) => [permit, ticket]));
  const sales = new Map<string, Sale[]>();
  const unknown: string[] = [];
  for (const transfer of transfers.filter(({ listing }) => listing !== 0n)) {
    const ticket = ticketOf.get(transfer.permit);
    if (ticket === undefined) unknown.push(transfer.permit);
    else sales.set(ticket, [...(sales.get(ticket) ?? []), { ...transfer, ticket, knownAt: undefined }]);
  }
  for (const [ticket, sold] of sales) {
    // a line shows the last sale: with it, those before are known
    for (const [at, sale] of sold.entries()) {
      const since = sold.slice(at).map(({ signature }) => signature);
      sale.knownAt = lines.get(ticket)?.find(({ line }) => since.includes(line.sale?.transfer_id ?? ''))?.at;
    }
  }
  return {
    tickets: new Map(tickets.map((ticket) => [ticket.reference, ticket])),
    sales,
    unknown,
    lines,
    entries: new Map(records.flatMap((record) => (record.kind === 'entry' ? [[record.ticket, record.phone]] : []))),
    told: new Map(records.flatMap((record) => (record.kind === 'told' ? [[record.ticket, record.at]] : []))),
  };
}

function judgeScans({ scans, ledger }: SeasonHistory, facts: Facts): { violations: string[]; tooLate: number } {
  const violations: string[] = [];
  const inside = new Set<string>();
  let tooLate = 0;
  for (const scan of scans.toSorted((a, b) => a.decidedAt - b.decidedAt)) {
    const { ticket, phone, entered } = scan;
    const who = `${ticket}: ${phone}`;
    const isUsed = inside.has(ticket);
    if (entered && isUsed) violations.push(`${who} entered on a ticket that was used`);
    if (entered) inside.add(ticket);
    if (isUsed) continue;
    const line = lineAt(facts, scan);
    const wasValid = line?.status === 'valid' || !facts.tickets.get(ticket)?.refunded;
    const holders = scan.owners.map((owner) => ledger.phones.get(owner));
    const may = wasValid && holders.includes(phone);
    const must = wasValid && holders.every((holder) => holder === phone);
    if (entered ? may : !must) continue;
    const byFile = line !== undefined && phoneOf(line) === phone && line.status === 'valid';
    if (isBehind(facts, scan) && entered === byFile) tooLate += 1;
    else if (entered) violations.push(`${who} entered without holding the ticket`);
    else violations.push(`${who} holds the ticket and was refused: ${scan.reason}`);
  }
  return { violations, tooLate };
}

/** The ticket in the gate's file at a scan. */
function lineAt({ lines }: Facts, { ticket, decidedAt }: Scan): FeedLine | undefined {
  return lines.get(ticket)?.findLast(({ at }) => at <= decidedAt)?.line;
}

/** Whether the gate's file lacked a sale to somebody who held the ticket. */
function isBehind({ sales }: Facts, { ticket, decidedAt, owners }: Scan): boolean {
  const sold = (sales.get(ticket) ?? []).filter(({ to }) => owners.includes(to));
  return sold.some(({ knownAt }) => knownAt === undefined || knownAt > decidedAt);
}

/** Every sale reaches the gate, in time and with its price. */
function judgeArrival({ sales, lines }: Facts, limitMs: number): string[] {
  return [...sales.values()].flat().flatMap(({ ticket, signature, price, at, knownAt }) => {
    const shown = (lines.get(ticket) ?? []).filter(({ line }) => line.sale?.transfer_id === signature);
    const wrong = shown.find(({ line }) => line.sale?.price !== String(price))?.line.sale?.price;
    return [
      ...(knownAt === undefined ? [`${ticket}: the sale ${signature} never reached the gate`] : []),
      ...(knownAt !== undefined && knownAt - at > limitMs
        ? [`${ticket}: the sale ${signature} reached the gate after ${knownAt - at} ms`]
        : []),
      ...(wrong === undefined ? [] : [`${ticket}: sold for ${price}, in the feed for ${wrong}`]),
    ];
  });
}

/** Nothing is sold, or listed, that may not be. A claim that was open before may still land. */
function judgeRights({ ledger }: SeasonHistory, facts: Facts): string[] {
  const idOf = new Map([...facts.lines].map(([ticket, known]) => [known[0]?.line.id, ticket]));
  const listed = ledger.listings
    .filter(({ signed }) => signed)
    .map(({ ticketId, at }) => ({ ticket: idOf.get(ticketId) ?? ticketId, at, what: 'a listing was signed' }));
  const sold = [...facts.sales.values()]
    .flat()
    .map(({ ticket, signature, at }) => ({ ticket, at: ledger.claims.get(signature) ?? at, what: 'it was sold' }));
  return [
    ...facts.unknown.map((permit) => `the permit ${permit}, which nobody knows, was sold`),
    ...[...listed, ...sold].flatMap(({ ticket, at, what }) => {
      const { resale = true, resaleUntil = Number.POSITIVE_INFINITY } = facts.tickets.get(ticket) ?? {};
      return [
        ...(resale ? [] : [`${ticket}: ${what}, and its type is not for resale`]),
        ...(at > resaleUntil ? [`${ticket}: ${what} after the end of its resale`] : []),
        ...(at > (facts.told.get(ticket) ?? at) ? [`${ticket}: ${what} after the service knew that it is used`] : []),
      ];
    }),
  ];
}

/** In the end the gate's file says what the chain says, and the service what gate and box office told it. */
function judgeEnd({ onchain, permits, ledger, endedAt }: SeasonHistory, facts: Facts): string[] {
  return [...permits].flatMap(([ticket, permit]) => {
    const line = facts.lines.get(ticket)?.at(-1)?.line;
    const owner = onchain.get(permit)?.owner;
    const holder = ledger.phones.get(owner ?? '');
    const planned = facts.tickets.get(ticket);
    const status = facts.entries.has(ticket) ? 'used' : planned?.refunded ? 'refunded' : 'valid';
    const isOver = status !== 'valid' || !planned?.resale || endedAt > (planned?.resaleUntil ?? endedAt);
    return [
      ...(line && phoneOf(line) === holder ? [] : [`${ticket}: the gate’s file has another holder than the chain`]),
      ...(line?.status === status ? [] : [`${ticket}: is ${line?.status} in the gate’s file, not ${status}`]),
      ...(isOver && onchain.get(permit)?.listed ? [`${ticket}: is still on sale`] : []),
    ];
  });
}

/** All rows of the box office are applied, but for refunds to fans who have sold on. */
function judgeImports({ imported }: SeasonHistory): string[] {
  return imported.flatMap(({ name, failures }) => {
    const expected = isWrongRefund(name) ? ['sold_on'] : [];
    return String(failures) === String(expected) ? [] : [`${name}: rows failed with ${failures.join() || 'nothing'}`];
  });
}
