import type { Fault } from '../fault.ts';

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
