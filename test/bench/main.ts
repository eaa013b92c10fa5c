/**
 * `npm run bench`: requests per second of the real server beside the floor, measured in the same run, in turns.
 *
 *   npm run bench -- --profile <folder>     also writes a CPU profile of the server there
 *   npm run bench -- --only claims          one of exchange, tickets, listings, claims
 *
 * The ratio is what to compare between machines and days; the figures themselves depend on what else runs.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openRuntime } from '../../adapters/runtime.ts';
import { createContext, type ServiceContext } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { startChildServer } from './child-server.ts';
import { CLAIM_PERMITS, openSeason } from './claims.ts';
import { type Driven, median } from './drive.ts';
import { exchangeCodes, signTwice } from './exchange-code.ts';
import { listTickets, obtainAccessToken, startFloor } from './list-tickets.ts';
import { signEight, signListings } from './listings.ts';
import { openMarket } from './listings-market.ts';

/** The median counts, so that a first round, which warms both sides up, does not. */
const ROUNDS = 3;

interface Line {
  name: string;
  ours: Driven;
  floorName: string;
  floor: Driven;
}

const PARTS = ['exchange', 'tickets', 'listings', 'claims'];

const { values } = parseArgs({ options: { profile: { type: 'string' }, only: { type: 'string' } } });
if (values.only !== undefined && !PARTS.includes(values.only)) throw new Error(`--only: one of ${PARTS.join(', ')}`);
const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-'));
// as root, PostgreSQL runs as another user, who must be able to come in
await chmod(dataDir, 0o755);
const server = await startChildServer(dataDir, values.profile === undefined ? undefined : resolve(values.profile));
try {
  print(await measure());
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<Line[]> {
  const opened = await openRuntime({ ...server.config, logLevel: 'silent' }, { share: true });
  const context = createContext(opened.runtime, null);
  const kit = JSON.parse(await readFile(join(dataDir, 'starter-kit.json'), 'utf8')) as StarterKit;
  const wanted = (part: string) => values.only === undefined || values.only === part;
  try {
    return [
      ...(wanted('exchange') ? [await measureExchange(context, kit)] : []),
      ...(wanted('tickets') ? [await measureTickets(context, kit, opened.databaseUrl)] : []),
      ...(wanted('listings') || wanted('claims') ? await measureTrade(context, kit, wanted) : []),
    ];
  } finally {
    await opened.close();
  }
}

async function measureExchange(context: ServiceContext, kit: StarterKit): Promise<Line> {
  const exchange = await inTurns(() => exchangeCodes(context, kit), signTwice);
  return { name: 'code exchange', floorName: '2 RS256 signatures', ...exchange };
}

async function measureTickets(context: ServiceContext, kit: StarterKit, databaseUrl: string): Promise<Line> {
  const token = await obtainAccessToken(context, kit);
  const floor = await startFloor(context, databaseUrl, token);
  try {
    const tickets = await inTurns(() => listTickets(server.config.apiUrl, token), floor.list);
    return { name: 'GET /tickets', floorName: 'same SQL and JSON, bare node:http', ...tickets };
  } finally {
    floor.stop();
  }
}

async function measureTrade(
  context: ServiceContext,
  kit: StarterKit,
  wanted: (part: string) => boolean,
): Promise<Line[]> {
  const lines: Line[] = [];

  const market = await openMarket(context, kit, CLAIM_PERMITS);

  try {
    if (wanted('listings')) {
      const listings = await inTurns(() => signListings(market), signEight);
      lines.push({ name: '4 listings', floorName: '8 Ed25519 signatures', ...listings });
    }
    if (wanted('claims')) {
      const season = openSeason(market);
      const claims = await inTurns(season.claim, season.floor);
      lines.push({ name: '10 claims', floorName: 'the same transactions in LiteSVM', ...claims });
    }
    return lines;
  } finally {
    await market.close();
  }
}

async function inTurns(ours: () => Promise<Driven>, floor: () => Promise<Driven>) {
  const results: { ours: Driven; floor: Driven }[] = [];
  for (let round = 0; round < ROUNDS; round++) results.push({ ours: await ours(), floor: await floor() });
  return { ours: median(results.map((result) => result.ours)), floor: median(results.map((result) => result.floor)) };
}

function print(lines: Line[]): void {
  const row = (cells: string[]) =>
    cells.map((cell, at) => (at === 0 || at === 5 ? cell.padEnd(at === 0 ? 14 : 34) : cell.padStart(9))).join('  ');
  console.log(row(['', 'ours/s', 'p50 ms', 'p99 ms', 'floor/s', 'floor', 'ratio']));
  for (const { name, ours, floor, floorName } of lines) {
    console.log(
      row([
        name,
        ours.perSecond.toFixed(0),
        String(ours.p50),
        String(ours.p99),
        floor.perSecond.toFixed(0),
        floorName,
        (ours.perSecond / floor.perSecond).toFixed(2),
      ]),
    );
  }
}
