/**
 * The company's access control, a process of its own. It follows the feed with a file as its memory, decides at the doors by that file
 * alone, and tells the service who has entered. Whenever it is killed, the file says where it was.
 *
 * @module
 */
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, accessFrom, callImport } from './call-import.ts';
import { barcodeOf, phoneOf, refusalOf } from './decide-entry.ts';
import { type FeedLine, type GateMemory, openGateMemory } from './gate-memory.ts';
import { asNdjson } from './plan.ts';

/** What the doors send. The same `scan` is one attempt: its answer may be lost. */
export interface ScanRequest {
  scan: string;
  ticket: string;
  barcode: string;
}

export interface ScanAnswer {
  entered: boolean;
  /** Of a refusal. */
  reason?: string;
  /** When it was decided. */
  at: number;
}

/** A ticket as the gate knows it. */
export interface GateTicket extends FeedLine {
  barcode: string | undefined;
  entered: boolean;
  /** Whether the service knows that. */
  told: boolean;
}

/** Finer than `Date.now()`: a scan that is decided just before a line is read must not seem to have known it. */
const now = () => performance.timeOrigin + performance.now();

const WAIT_SECONDS = 20;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 300;
const CURSOR_AHEAD = 410;

/** Reads the feed once: a snapshot, or what has changed. */
async function readFeed({ adminUrl, token }: Access, memory: GateMemory): Promise<void> {
  const { cursor } = memory;
  const query = new URLSearchParams(cursor === undefined ? {} : { after: cursor, wait: String(WAIT_SECONDS) });
  const answer = await fetch(`${adminUrl}/feed${cursor === undefined ? '' : '/changes'}?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status === CURSOR_AHEAD) return memory.append({ kind: 'ahead', at: now() });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const last = lines.pop() as { cursor?: string } | undefined;
  if (last?.cursor === undefined) throw new Error('the answer broke off');
  if (last.cursor === cursor && lines.length === 0) return;
  memory.append({ kind: 'read', at: now(), snapshot: cursor === undefined, lines, cursor: last.cursor });
}

/** Tells the service about the entries that it may not know of: a row for each, mostly a single one. */
async function tellEntries(access: Access, memory: GateMemory): Promise<void> {
  const rows = [...memory.entries].flatMap(([reference, { at, told }]) => {
    const line = memory.tickets.get(reference);
    if (told || line === undefined) return [];
    const { event, ticket_type } = line;
    return [{ kind: 'ticket', reference, event, ticket_type, status: 'used', used_at: new Date(at).toISOString() }];
  });
  if (rows.length === 0) return void (await sleep(PAUSE_MS / 3));
  const summary = await callImport(access, 'scans', asNdjson(rows));
  if (summary.updated + summary.unchanged !== rows.length) throw new Error(JSON.stringify(summary));
  const at = now();
  for (const { reference } of rows) memory.append({ kind: 'told', at, ticket: reference });
}

async function forever(work: () => Promise<void>): Promise<never> {
  for (;;) {
    try {
      await work();
    } catch (error) {
      console.error(`tried again: ${error}`);
      await sleep(PAUSE_MS);
    }
  }
}

function decide(memory: GateMemory, { scan, ticket, barcode }: ScanRequest): ScanAnswer {
  const [line, entry] = [memory.tickets.get(ticket), memory.entries.get(ticket)];
  if (entry !== undefined && entry.scan === scan) return { entered: true, at: entry.at };
  const at = now();
  const reason = refusalOf(line, entry !== undefined, barcode);
  if (reason !== undefined) return { entered: false, reason, at };
  memory.append({ kind: 'entry', at, scan, ticket, phone: (line && phoneOf(line)) ?? '' });
  return { entered: true, at };
}

function describe({ tickets, entries }: GateMemory): GateTicket[] {
  return [...tickets.values()].map((line) => {
    const [phone, entry] = [phoneOf(line), entries.get(line.ticket)];
    const barcode = phone === undefined ? undefined : barcodeOf(line.ticket, phone);
    return { ...line, barcode, entered: entry !== undefined, told: entry?.told ?? false };
  });
}

async function answer(memory: GateMemory, request: IncomingMessage): Promise<unknown> {
  if (request.url === '/scan') return decide(memory, (await json(request)) as ScanRequest);
  return request.url === '/tickets' ? describe(memory) : { cursor: memory.cursor };
}

async function run(file: string, port: number): Promise<void> {
  const access = accessFrom(process.env);
  const memory = openGateMemory(file);
  const server = createServer((request, response) => {
    answer(memory, request).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(port, '127.0.0.1');
  await Promise.all([forever(() => readFeed(access, memory)), forever(() => tellEntries(access, memory))]);
}

if (import.meta.main) await run(process.env.GATE_FILE ?? '', Number(process.env.PORT));
