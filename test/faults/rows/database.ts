import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Bouncer, PROGRAMS, startBouncer } from '../../support/pgbouncer.ts';
import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** PostgreSQL itself. */
export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'nothing: the same traffic without a fault',
    hits: 'nothing',
    ready: 'yes',
    holdMs: 6_000,
  },
  {
    name: 'PostgreSQL restarted',
    hits: 'everything',
    ready: 'either',
    holdMs: 0,
    async inject({ postgres }) {
      await postgres.stop('fast');
      await postgres.start();
    },
  },
  {
    name: 'PostgreSQL killed, back after 8 s',
    hits: 'everything',
    ready: 'no',
    holdMs: 8_000,
    inject: ({ postgres }) => postgres.kill(),
    heal: ({ postgres }) => postgres.start(),
  },
  {
    name: 'connections killed by PostgreSQL, again and again',
    hits: 'everything',
    ready: 'either',
    holdMs: 10_000,
    pulse: {
      everyMs: 300,
      async run({ postgres }) {
        await postgres.run(
          `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
      },
    },
  },
  {
    name: 'PostgreSQL hung (SIGSTOP)',
    hits: 'everything',
    ready: 'no',
    holdMs: 26_000,
    inject: ({ postgres }) => postgres.freeze(),
    heal: ({ postgres }) => postgres.thaw(),
  },
  {
    name: 'PostgreSQL read-only',
    hits: 'everything',
    ready: 'no',
    holdMs: 10_000,
    async inject({ postgres }) {
      await postgres.run('alter system set default_transaction_read_only = on');
      await postgres.run('select pg_reload_conf()');
    },
    async heal({ postgres }) {
      await postgres.run('alter system reset default_transaction_read_only');
      await postgres.run('select pg_reload_conf()');
    },
  },
];

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

/** A streaming replica takes over. It is synchronous, as where nothing that was told may be lost. */
export const FAILOVER_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL killed, its replica takes over after 5 s',
    hits: 'everything',
    ready: 'no',
    stand: { replica: true },
    holdMs: 5_000,
    inject: ({ postgres }) => postgres.kill(),
    heal: promote,
  },
  {
    name: 'PostgreSQL hung, its replica takes over after 8 s',
    hits: 'everything',
    ready: 'no',
    stand: { replica: true },
    holdMs: 8_000,
    // connections to the old server stay open and are silent for ever: each must be given up by its time limit
    wholeWithinMs: 35_000,
    inject: ({ postgres }) => postgres.freeze(),
    heal: promote,
  },
];

async function promote(stand: Stand): Promise<void> {
  const { replica, wire } = stand;
  if (!replica) throw new Error('the stand has no replica');
  await replica.run('select pg_promote(true, 20)');
  wire.leadTo(replica.port);
  stand.current = replica;
}

/** PgBouncer in transaction mode, as `PGBOUNCER` or the path names it. It keeps prepared statements from 1.21 on. */
const OLDEST = 21;
const PROGRAM = PROGRAMS.find(({ version }) => version >= OLDEST)?.program;

/** By the folder of their stand. */
const poolers = new Map<string, Bouncer>();

const pooled: Pick<Fault, 'hits' | 'skip' | 'stand'> = {
  hits: 'everything',
  skip: async () =>
    PROGRAM === undefined ? `there is no PgBouncer 1.${OLDEST} here: set PGBOUNCER to one` : undefined,
  stand: { processes: 2, pooler: startPooler },
};

export const POOLER_FAULTS: readonly Fault[] = [
  {
    ...pooled,
    name: 'through PgBouncer in transaction mode: PostgreSQL killed, back after 5 s',
    ready: 'no',
    holdMs: 5_000,
    inject: ({ postgres }) => postgres.kill(),
    heal: ({ postgres }) => postgres.start(),
  },
  {
    ...pooled,
    name: 'PgBouncer killed, back after 3 s',
    ready: 'either',
    holdMs: 3_000,
    inject: async ({ folder }) => poolers.get(folder)?.kill(),
    heal: async ({ folder }) => poolers.get(folder)?.start(),
  },
];

async function startPooler(databaseUrl: string, folder: string) {
  const bouncer = await startBouncer(PROGRAM ?? '', databaseUrl, {
    auth_type: 'trust',
    pool_mode: 'transaction',
    max_prepared_statements: 200,
    default_pool_size: 15,
    server_login_retry: 1,
  });
  poolers.set(folder, bouncer);
  return { url: bouncer.url, close: () => bouncer.stop() };
}
