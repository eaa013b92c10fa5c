import { describe, expect, it } from 'vitest';
import type { ChainTransfer } from './chain-reader.ts';
import type { FeedLine, GateRecord } from './gate-memory.ts';
import type { Scan, SeasonHistory } from './history.ts';
import { judgeSeason } from './judge.ts';
import type { PlannedTicket } from './plan.ts';

const LIMIT_MS = 10_000;
const [ANN, BOB, EVE] = ['+1', '+2', '+3'];

const planned = (reference: string, changes: Partial<PlannedTicket> = {}): PlannedTicket => ({
  ...{ reference, event: 'gala', type: 'stalls', label: 'Row 1', phone: ANN, resale: true, resaleUntil: undefined },
  ...{ refunded: false, waits: false, ...changes },
});

const line = (ticket: string, phone: string, changes: Partial<FeedLine> = {}): FeedLine => ({
  ...{ ticket, event: 'gala', ticket_type: 'stalls', label: 'Row 1', id: `tkt_${ticket}`, onchain: 'issued' },
  ...{ holder: { fan_id: 'usr', phone }, status: 'valid', listing: null, sale: null, ...changes },
});

const sold = (transfer_id: string, price = '5'): Partial<FeedLine> => ({
  sale: { at: '', price, client_id: 'client', transfer_id },
});

const read = (at: number, ...lines: FeedLine[]): GateRecord => ({
  ...{ kind: 'read', at, snapshot: false, lines, cursor: String(at) },
});

const transfer = (ticket: string, to: string, signature: string, at: number): ChainTransfer => ({
  ...{ permit: `permit ${ticket}`, to: `wallet ${to}`, signature, at, price: 5n, listing: 1n },
});

const scan = (ticket: string, phone: string, decidedAt: number, owner: string, entered: boolean): Scan => ({
  ...{ ticket, phone, decidedAt, owners: [`wallet ${owner}`], entered, reason: 'a reason' },
});

/**
 * Ann sells `sold` to Bob on the chain at 10,000, which the gate reads at 10,400; Ann is refused at 20,000, Bob enters at 21,000. Ann keeps
 * `guest`, which is not for resale, and `late`, whose resale ended at 15,000. `back` is refunded, and refused.
 */
function history(): SeasonHistory {
  const tickets = [
    planned('sold'),
    planned('guest', { resale: false }),
    planned('late', { resaleUntil: 15_000 }),
    planned('back', { refunded: true }),
  ];
  const used = { status: 'used', ...sold('sale') } as const;
  return {
    tickets,
    permits: new Map(tickets.map(({ reference }) => [reference, `permit ${reference}`])),
    ledger: {
      claims: new Map([['sale', 9_000]]),
      listings: [{ ticketId: 'tkt_sold', at: 8_000, signed: true }],
      phones: new Map([ANN, BOB, EVE].map((phone) => [`wallet ${phone}`, phone])),
    },
    transfers: [transfer('sold', BOB, 'sale', 10_000)],
    onchain: new Map(
      tickets.map(({ reference }) => [
        `permit ${reference}`,
        { owner: `wallet ${reference === 'sold' ? BOB : ANN}`, listed: false },
      ]),
    ),
    scans: [
      scan('sold', ANN, 20_000, BOB, false),
      scan('sold', BOB, 21_000, BOB, true),
      scan('sold', BOB, 22_000, BOB, false),
      scan('back', ANN, 20_000, ANN, false),
    ],
    records: [
      read(1_000, ...tickets.map(({ reference }) => line(reference, ANN))),
      read(5_000, line('back', ANN, { status: 'refunded' })),
      read(10_400, line('sold', BOB, sold('sale'))),
      { kind: 'entry', at: 21_000, scan: 's', ticket: 'sold', phone: BOB },
      { kind: 'told', at: 21_500, ticket: 'sold' },
      read(22_500, line('sold', BOB, used)),
    ],
    imported: [file('1.ndjson', []), file('wrong-refund.ndjson', ['sold_on'])],
    endedAt: 30_000,
  };
}

const file = (name: string, failures: string[]): SeasonHistory['imported'][number] => ({
  ...{ name, failures, run: 'imp', state: 'finished', created: 1, updated: 0, unchanged: 0, stale: 0, failed: 0 },
});

/** What the judge says of the history with some members changed. */
function judged(change: (before: SeasonHistory) => Partial<SeasonHistory>) {
  const before = history();
  return judgeSeason({ ...before, ...change(before) }, LIMIT_MS);
}

const moreScans = (...more: Scan[]) => judged(({ scans }) => ({ scans: [...scans, ...more] }));
const oneScan = (one: Scan) => judged(() => ({ scans: [one] }));
const moreRecords = (...more: GateRecord[]) => judged(({ records }) => ({ records: [...records, ...more] }));
const soldToo = (ticket: string, at: number, claimedAt: number) =>
  judged(({ transfers, ledger, records, onchain }) => ({
    transfers: [...transfers, transfer(ticket, EVE, 'another', at)],
    ledger: { ...ledger, claims: new Map([...ledger.claims, ['another', claimedAt]]) },
    records: [
      ...records,
      read(at + 300, line(ticket, EVE, { ...sold('another'), status: ticket === 'sold' ? 'used' : 'valid' })),
    ],
    onchain: new Map([...onchain, [`permit ${ticket}`, { owner: `wallet ${EVE}`, listed: false }]]),
  }));
const listedToo = (ticketId: string, at: number) =>
  judged(({ ledger }) => ({
    ledger: { ...ledger, listings: [...ledger.listings, { ticketId, at, signed: true }] },
  }));
const withoutSales = () =>
  judged(({ records }) => ({
    records: records.map((record) =>
      record.kind === 'read' ? { ...record, lines: record.lines.map((known) => ({ ...known, sale: null })) } : record,
    ),
  }));

describe('the judge of a season', () => {
  it('finds nothing where nothing is wrong', () => {
    const verdict = judged(() => ({}));
    expect(verdict).toEqual({ violations: [], sales: 1, tooLate: 0, worstDelayMs: 400 });
  });

  it('counts what the gate’s file could not know yet as too late', () => {
    const { violations, tooLate } = moreScans(scan('sold', BOB, 10_100, BOB, false), {
      ...scan('sold', ANN, 9_990, BOB, false),
      owners: [`wallet ${ANN}`, `wallet ${BOB}`],
    });
    expect({ violations, tooLate }).toEqual({ violations: [], tooLate: 1 });
  });

  it('lets a claim land that was open when the ticket was used', () => {
    expect(soldToo('sold', 21_800, 21_400).violations).toEqual([]);
  });

  it.each([
    [
      'somebody enters on a used ticket',
      () => moreScans(scan('sold', BOB, 23_000, BOB, true)),
      'entered on a ticket that was used',
    ],
    [
      'a seller enters whose sale the gate has read',
      () => oneScan(scan('sold', ANN, 10_500, BOB, true)),
      'entered without holding',
    ],
    [
      'a buyer is refused whose purchase the gate has read',
      () => oneScan(scan('sold', BOB, 10_500, BOB, false)),
      'holds the ticket and was refused',
    ],
    [
      'a stranger enters while the gate lacks a sale',
      () => oneScan(scan('sold', EVE, 10_100, BOB, true)),
      'entered without holding',
    ],
    [
      'somebody enters on a refunded ticket',
      () => oneScan(scan('back', ANN, 21_000, ANN, true)),
      'entered without holding',
    ],
    [
      'a holder is refused for no reason',
      () => oneScan(scan('guest', ANN, 5_000, ANN, false)),
      'holds the ticket and was refused',
    ],
    ['a sale does not reach the gate', withoutSales, 'never reached the gate'],
    [
      'a sale reaches the gate too late',
      () => judged(() => ({ transfers: [transfer('sold', BOB, 'sale', 300)] })),
      'reached the gate after 10100 ms',
    ],
    [
      'the feed has another price',
      () => moreRecords(read(23_000, line('sold', BOB, { status: 'used', ...sold('sale', '6') }))),
      'in the feed for 6',
    ],
    [
      'a used ticket is sold',
      () => soldToo('sold', 22_000, 21_600),
      'it was sold after the service knew that it is used',
    ],
    ['a ticket is sold that is not for resale', () => soldToo('guest', 12_000, 11_000), 'its type is not for resale'],
    [
      'a ticket is sold after the end of its resale',
      () => soldToo('late', 16_000, 15_500),
      'it was sold after the end of its resale',
    ],
    ['a permit is sold that is no ticket of the season', () => soldToo('other', 12_000, 11_000), 'which nobody knows'],
    ['a used ticket is listed', () => listedToo('tkt_sold', 21_600), 'a listing was signed after the service knew'],
    ['a ticket is listed that is not for resale', () => listedToo('tkt_guest', 5_000), 'its type is not for resale'],
    [
      'a ticket is listed after the end of its resale',
      () => listedToo('tkt_late', 15_500),
      'after the end of its resale',
    ],
    [
      'the gate ends with another holder',
      () => moreRecords(read(23_000, line('guest', EVE))),
      'another holder than the chain',
    ],
    [
      'the service does not learn of an entry',
      () => moreRecords(read(23_000, line('sold', BOB, sold('sale')))),
      'is valid in the gate’s file, not used',
    ],
    [
      'a refund is lost',
      () => moreRecords(read(23_000, line('back', ANN))),
      'is valid in the gate’s file, not refunded',
    ],
    [
      'a listing outlives its right',
      () =>
        judged(({ onchain }) => ({
          onchain: new Map([...onchain, ['permit late', { owner: `wallet ${ANN}`, listed: true }]]),
        })),
      'late: is still on sale',
    ],
    [
      'rows of the box office fail',
      () => judged(() => ({ imported: [file('1.ndjson', ['not_stored'])] })),
      'rows failed with not_stored',
    ],
    [
      'a refund takes a ticket from its buyer',
      () => judged(() => ({ imported: [file('wrong-refund.ndjson', [])] })),
      'rows failed with nothing',
    ],
  ])('notices where %s', (_, run, words) => {
    const { violations } = run();
    expect(violations).toEqual([expect.stringContaining(words)]);
  });
});
