import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** The way to PostgreSQL, and who else is on it. */
export const WIRE_FAULTS: readonly Fault[] = [
  {
    name: 'the network to PostgreSQL cut',
    hits: 'everything',
    ready: 'no',
    holdMs: 8_000,
    inject: async ({ wire }) => wire.cut(),
    heal: async ({ wire }) => wire.mend(),
  },
  {
    name: 'the network to PostgreSQL silent',
    hits: 'everything',
    ready: 'no',
    holdMs: 26_000,
    inject: async ({ wire }) => wire.hang(),
    heal: async ({ wire }) => wire.mend(),
  },
  {
    name: 'answers of PostgreSQL lost after the commit',
    hits: 'everything',
    ready: 'either',
    holdMs: 12_000,
    pulse: { everyMs: 400, run: async ({ wire }) => wire.loseNextAnswers() },
  },
  {
    name: 'PostgreSQL slow: 0.3 s more for each round trip',
    hits: 'nothing',
    ready: 'yes',
    holdMs: 12_000,
    inject: async ({ wire }) => wire.delay(150),
    heal: async ({ wire }) => wire.mend(),
  },
  {
    name: 'no connection left at PostgreSQL',
    hits: 'everything',
    ready: 'no',
    holdMs: 8_000,
    async inject(stand) {
      taken.set(stand, await takeConnections(stand));
    },
    async heal(stand) {
      await Promise.all((taken.get(stand) ?? []).map((client) => client.end()));
    },
  },
];

const taken = new WeakMap<Stand, pg.Client[]>();
const TAKEN_WITHIN_MS = 3_000;

/** Takes every connection, as another application without a pool would; those of the service too, once they have ended. */
async function takeConnections({ postgres, wire }: Stand): Promise<pg.Client[]> {
  const clients: pg.Client[] = [];
  await wire.cut();
  for (const end = performance.now() + TAKEN_WITHIN_MS; performance.now() < end; ) {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    const failed = await client.connect().catch((error: Error) => error);
    if (failed) await sleep(100);
    else clients.push(client);
  }
  await wire.mend();
  return clients;
}
