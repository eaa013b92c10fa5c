import type { Random } from './random.ts';

/** A ticket of the company, and what the season has in store for it. */
export interface PlannedTicket {
  reference: string;
  event: string;
  type: string;
  label: string;
  /** Of whom the box office sold it to. */
  phone: string;
  /** Whether its type may be resold. */
  resale: boolean;
  /** When the right to sell it ends, in milliseconds since the epoch. */
  resaleUntil: number | undefined;
  /** The box office takes it back. */
  refunded: boolean;
  /** Waits for the end of its resale. */
  waits: boolean;
}

/** A file of rows for the import. */
export interface RowFile {
  name: string;
  rows: readonly object[];
}

export interface SeasonPlan {
  tickets: readonly PlannedTicket[];
  phones: readonly string[];
  /** In the order in which they are written: events and tickets, then some of them again. */
  files: readonly RowFile[];
}

const HOUR = 3_600_000;
const TICKETS_PER_FAN = 4;
const LEAST_FANS = 8;
const TICKETS_PER_FILE = 250;
const LEAST_FILES = 3;
/** Until resale of the derby ends: long enough for some of its tickets to be sold, and over while others still try. */
const RESALE_MS = { least: 8_000, perTicket: 50 };

const SHARES = { guest: 0.15, refunded: 0.05, waits: 0.3 };
const EVENTS = ['gala', 'derby', 'fair'] as const;
/** The event whose resale ends within the season. */
const SHORT_RESALE = 'derby';

export const asNdjson = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Draws up a season. @param now milliseconds since the epoch */
export function planSeason(count: number, random: Random, now: number): SeasonPlan {
  const resaleUntil = now + RESALE_MS.least + count * RESALE_MS.perTicket;
  const phones = Array.from({ length: Math.max(LEAST_FANS, Math.ceil(count / TICKETS_PER_FAN)) }, (_, at) =>
    phoneOf(at),
  );
  const tickets = Array.from({ length: count }, (_, at): PlannedTicket => {
    const event = random.pick(EVENTS);
    const resale = !random.chance(SHARES.guest);
    const ends = event === SHORT_RESALE;
    return {
      reference: `t-${at + 1}`,
      event,
      type: resale ? 'stalls' : 'guest',
      label: `Row ${Math.floor(at / 20) + 1}, seat ${(at % 20) + 1}`,
      phone: random.pick(phones),
      resale,
      resaleUntil: ends ? resaleUntil : undefined,
      refunded: random.chance(SHARES.refunded),
      waits: ends && random.chance(SHARES.waits),
    };
  });
  return { tickets, phones, files: filesOf(tickets, now, resaleUntil) };
}

function phoneOf(at: number): string {
  return `+1202555${String(at + 1).padStart(4, '0')}`;
}

function filesOf(tickets: readonly PlannedTicket[], now: number, resaleUntil: number): RowFile[] {
  const time = (ms: number) => new Date(ms).toISOString();
  const updated_at = time(now);
  const events = EVENTS.flatMap((event) => [
    {
      ...{ kind: 'event', reference: event, name: `The ${event}`, venue: 'Great Hall', time_zone: 'Europe/Berlin' },
      ...{ starts_at: time(now + 2 * HOUR), ends_at: time(now + 5 * HOUR), updated_at },
      ...(event === SHORT_RESALE && { resale_until: time(resaleUntil) }),
    },
    { kind: 'ticket_type', event, reference: 'stalls', name: 'Stalls', updated_at },
    { kind: 'ticket_type', event, reference: 'guest', name: 'Guest list', resale: 'no', updated_at },
  ]);
  const sold = tickets.map(({ reference, event, type, label, phone }) => ({
    ...{ kind: 'ticket', reference, event, ticket_type: type, label, holder_phone: phone, updated_at },
  }));
  const perFile = Math.min(TICKETS_PER_FILE, Math.ceil(tickets.length / LEAST_FILES));
  const files = Array.from({ length: Math.ceil(sold.length / perFile) }, (_, at) => ({
    name: `${String(at + 1).padStart(3, '0')}-sold.ndjson`,
    rows: [...(at === 0 ? events : []), ...sold.slice(at * perFile, (at + 1) * perFile)],
  }));
  const again = files.slice(0, 2).map(({ name, rows }) => ({ name: `500-again-${name}`, rows }));
  return [...files, ...again];
}

const WRONG_REFUND = 'wrong-refund';

/** Whether a file is a refund to a fan who no longer had the ticket. */
export const isWrongRefund = (name: string): boolean => name.includes(WRONG_REFUND);

/** @param holder by default the ticket is meant, whoever has it; otherwise it is refunded if it is still with this fan */
export function refundOf({ reference, event, type }: PlannedTicket, holder?: string): RowFile {
  const row = { kind: 'ticket', reference, event, ticket_type: type, status: 'refunded' };
  if (holder === undefined) return { name: `600-refund-${reference}.ndjson`, rows: [row] };
  return { name: `600-${WRONG_REFUND}-${reference}.ndjson`, rows: [{ ...row, holder_phone: holder }] };
}
