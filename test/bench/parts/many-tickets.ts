import { decodeJwt } from 'jose';
import pg from 'pg';
import { type Id, uuidOf } from '../../../src/identifier/type-id.ts';
import { drive } from '../drive.ts';
import type { ManyTicketsFigures } from '../figures.ts';
import { fillUpTo, giveTickets, openListings } from '../fill-up.ts';
import type { Load } from '../load.ts';
import { median } from '../median.ts';
import { watchMemory } from '../memory.ts';
import { openServer } from '../sides/open-server.ts';

const SIZES = [10, 100, 1_000, 10_000];
/** Of other fans, whose listings all are open. */
const LISTED = 100_000;
const CONNECTIONS = 4;
/** Tickets in all answers of a stretch, and the fewest answers that make one. */
const TICKETS_IN_ALL = 200_000;
const FEWEST = 40;
const SINGLE_REQUESTS = 15;

/** `GET /tickets` of one fan with more and more tickets, without and with many open listings of others. */
export async function measureManyTickets(
  tree: string,
  done: (figures: ManyTicketsFigures) => void,
): Promise<ManyTicketsFigures[]> {
  const server = await openServer('ours', tree);
  const client = new pg.Client({ connectionString: server.stage.databaseUrl });
  await client.connect();
  const memory = watchMemory(server.pid);
  const all: ManyTicketsFigures[] = [];
  try {
    const fan = uuidOf('usr', decodeJwt(bearerIn(await prepare())).sub as Id<'usr'>);
    await fillUpTo(client, 0, LISTED);
    await measure(0, SIZES[0] ?? 0);
    await openListings(client, LISTED);
    let held = SIZES[0] ?? 0;
    for (const tickets of SIZES) {
      await giveTickets(client, fan, held, tickets);
      held = tickets;
      await measure(LISTED, tickets);
    }
    return all;
  } finally {
    memory.stop();
    await client.end();
    await server.stop();
  }

  async function prepare(): Promise<Load> {
    const load = await server.prepare('tickets', 1);
    if (load === undefined) throw new Error('no request for tickets');
    return load;
  }

  async function measure(openListingsOfOthers: number, tickets: number): Promise<void> {
    const load = await prepare();
    const requests = Math.max(FEWEST, Math.floor(TICKETS_IN_ALL / tickets));
    const url = new URL(load.path, server.origin);
    await drive(server.origin, load, requests, CONNECTIONS);
    memory.peak();
    const { p50, p99 } = await drive(server.origin, load, requests, CONNECTIONS);
    const megabytes = memory.peak();
    const singles: { first: number; whole: number; bytes: number }[] = [];
    for (let at = 0; at < SINGLE_REQUESTS; at += 1) singles.push(await timeOne(url, load, tickets));
    const figures = {
      tickets,
      openListings: openListingsOfOthers,
      kilobytes: (singles[0]?.bytes ?? 0) / 1024,
      firstByte: median(singles.map(({ first }) => first)),
      whole: median(singles.map(({ whole }) => whole)),
      p50,
      p99,
      memory: megabytes,
    };
    all.push(figures);
    done(figures);
  }
}

/** One request with nothing beside it. @throws Error where the answer has another number of tickets */
async function timeOne(url: URL, { requests: [request] }: Load, tickets: number) {
  const started = performance.now();
  const answer = await fetch(url, { headers: request?.headers ?? {} });
  const first = performance.now() - started;
  const text = await answer.text();
  const whole = performance.now() - started;
  const got = (JSON.parse(text) as { tickets: unknown[] }).tickets.length;
  if (got !== tickets) throw new Error(`${got} tickets were answered, not ${tickets}`);
  return { first, whole, bytes: Buffer.byteLength(text) };
}

function bearerIn({ requests: [request] }: Load): string {
  return request?.headers.authorization?.replace('Bearer ', '') ?? '';
}
