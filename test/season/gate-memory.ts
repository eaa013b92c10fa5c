import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';

/** A line of the feed, as docs/inventory.md describes it. */
export interface FeedLine {
  ticket: string;
  event: string;
  ticket_type: string;
  label: string | null;
  id: string;
  holder: { fan_id: string; phone: string | null } | { wallet: string } | null;
  status: 'valid' | 'refunded' | 'void' | 'used';
  onchain: 'waiting' | 'issued' | 'closed';
  listing: { marketplace: string; price: string; at: string } | null;
  sale: { at: string; price: string; client_id: string | null; transfer_id: string | null } | null;
}

/** What the gate has learned or done, in the order of its file. Times are milliseconds since the epoch. */
export type GateRecord =
  /** A whole answer of the feed with the cursor after it. A snapshot replaces what is known. */
  | { kind: 'read'; at: number; snapshot: boolean; lines: FeedLine[]; cursor: string }
  /** The cursor was ahead of the feed: a snapshot must be taken. */
  | { kind: 'ahead'; at: number }
  /** Somebody was let in. */
  | { kind: 'entry'; at: number; scan: string; ticket: string; phone: string }
  /** The service has answered that the ticket is used. */
  | { kind: 'told'; at: number; ticket: string };

export interface Entry {
  at: number;
  scan: string;
  told: boolean;
}

/** What the file says: all that the gate decides by. */
export interface GateMemory {
  tickets: ReadonlyMap<string, FeedLine>;
  entries: ReadonlyMap<string, Entry>;
  cursor: string | undefined;
  /** Writes a record into the file, then takes it in. */
  append(record: GateRecord): void;
}

/** The records of a gate's file; a last one that was being written when the gate was killed does not count. */
export function readRecords(file: string): GateRecord[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as GateRecord);
}

/** Opens the file of a gate, and removes what was written in part. */
export function openGateMemory(file: string): GateMemory {
  const tickets = new Map<string, FeedLine>();
  const entries = new Map<string, Entry>();
  function take(record: GateRecord): void {
    if (record.kind === 'ahead') memory.cursor = undefined;
    if (record.kind === 'read') {
      if (record.snapshot) tickets.clear();
      for (const line of record.lines) tickets.set(line.ticket, line);
      memory.cursor = record.cursor;
    }
    if (record.kind === 'entry') entries.set(record.ticket, { at: record.at, scan: record.scan, told: false });
    const entry = record.kind === 'told' ? entries.get(record.ticket) : undefined;
    if (entry) entry.told = true;
  }
  const memory: GateMemory = {
    tickets,
    entries,
    cursor: undefined,
    append(record) {
      appendFileSync(file, `${JSON.stringify(record)}\n`);
      take(record);
    },
  };
  if (existsSync(file)) truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1);
  for (const record of readRecords(file)) take(record);
  return memory;
}
