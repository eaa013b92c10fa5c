import { type Bouncer, PROGRAMS, startBouncer } from '../../support/pgbouncer.ts';
import type { Fault } from '../fault.ts';

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
