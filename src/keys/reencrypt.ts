import type { Pool } from 'pg';
import { Counter } from 'prom-client';
import type { KeyPurpose } from '../entities/encryption-key.ts';
import type { Context } from '../platform/context.ts';
import { LOCKS } from '../platform/database/advisory-lock.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import type { WithSecrets } from './seal.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.ts';
import { type Custody, custodyFor, type WithCustody } from './vault.ts';

const reencrypted = new Counter({
  name: 'secrets_reencrypted_total',
  help: 'Sealed secrets that this process re-encrypted for the newest key, by table',
  labelNames: ['table'],
});

const JOB_PATIENCE_MS = 45_000;

export interface Reencrypted {
  /** Secrets that this run re-encrypted. */
  done: number;
  /** Tables of secrets that no key of this process opens, once for each. */
  unopened: string[];
  /** Whether the run came to the end of every table. Rows that were just being written are left for the next run. */
  finished: boolean;
}

type ReencryptContext = Pick<Context, 'pool' | 'log'> & WithSecrets & WithCustody;

/**
 * Re-encrypts, in small batches, secrets that were sealed by another key than the configured one. Finished rows are never read again, so
 * each batch costs the same, and a run can be interrupted at any point. A row that changes meanwhile keeps that change.
 * @param options.patienceMs ends the run after the batch in which the time is over
 * @param options.onBatch gets the number done so far
 * @returns undefined where another process runs it, or this process's keys are not the newest
 * @throws DomainError `unavailable` where a key service can't be reached; what is done stays done
 */
export async function reencrypt(
  context: ReencryptContext,
  options: { patienceMs?: number; onBatch?: (done: number) => void } = {},
): Promise<Reencrypted | undefined> {
  const { patienceMs = Number.POSITIVE_INFINITY, onBatch } = options;
  return aloneIn(context.pool, async () => {
    const newest = await readNewest(context.pool, []);
    const tables = TABLES.map((table) => ({ ...table, custody: custodyFor(context, table.purpose) })).filter(
      ({ purpose, custody }) => newest.some((key) => key.purpose === purpose && key.id === custody.vault.id),
    );
    if (tables.length === 0) return undefined;
    const until = performance.now() + patienceMs;
    const run: Reencrypted = { done: 0, unopened: [], finished: false };
    for (const table of tables) {
      let after: Row | undefined = FIRST;
      while (after !== undefined) {
        if (performance.now() > until) return run;
        after = await reencryptBatch(context, table, after, run);
        onBatch?.(run.done);
      }
    }
    return { ...run, finished: true };
  });
}

/** The job: a run of less than a minute, with its progress in the log. */
export async function reencryptDue(context: ReencryptContext): Promise<void> {
  const run = await reencrypt(context, { patienceMs: JOB_PATIENCE_MS });
  if (run === undefined || (run.done === 0 && run.unopened.length === 0)) return;
  const { done, unopened, finished } = run;
  context.log.info({ done, finished }, 'secrets re-encrypted for the newest key');
  if (unopened.length > 0) {
    const tables = [...new Set(unopened)];
    context.log.error({ count: unopened.length, tables }, 'secrets that no key of this process opens');
  }
}

const readNewest = prepared<{ purpose: KeyPurpose; id: string }>(
  'select distinct on (purpose) purpose, id from encryption_key order by purpose, since desc, id',
);

interface Row {
  owner: string;
  secret: string;
  sealed_with: string;
}

const FIRST: Row = { owner: '', secret: '', sealed_with: '' };

/** @returns the last row that was read; undefined at the end of the table */
async function reencryptBatch(
  { pool }: ReencryptContext,
  { table, read, write, custody }: Reencryptable & { custody: Custody },
  after: Row,
  run: Reencrypted,
): Promise<Row | undefined> {
  const { id, sideBySide } = custody.vault;
  const rows = await read(pool, [id, after.sealed_with, after.owner, sideBySide]);
  const opened = await Promise.all(rows.map((row) => resealed(custody, row)));
  const changes = opened.filter((change) => change !== undefined);
  run.unopened.push(...opened.filter((change) => change === undefined).map(() => table));
  if (changes.length > 0) {
    const written = await write(pool, [JSON.stringify(changes), id]);
    run.done += written.length;
    reencrypted.inc({ table }, written.length);
  }
  return rows.at(-1);
}

/** @returns undefined where no key of ours opens it */
async function resealed(custody: Custody, { owner, secret: before, sealed_with: sealedWith }: Row) {
  const secret = await custody.open(owner, { sealed: before, sealedWith }).catch((error: unknown) => {
    if (error instanceof DomainError) throw error;
    return undefined;
  });
  if (secret === undefined) return undefined;
  const { sealed } = await custody.vault.seal(owner, secret);
  // a secret is replaced only by one that opens
  const again = await custody.vault.open(owner, sealed);
  if (Buffer.compare(again, secret) !== 0) throw new Error(`the secret of ${owner} changed when it was sealed`);
  secret.fill(0);
  again.fill(0);
  return { owner, before, after: sealed };
}

type Reencryptable = ReturnType<typeof statementsOf>;

const TABLES = SEALED_TABLES.map(statementsOf);

function statementsOf({ table, owner, secret, purpose }: SealedTable) {
  // two ranges of the index, so that finished rows are skipped
  const left = (comparison: '<' | '>') => `(
    select ${owner} as owner, ${secret} as secret, sealed_with from ${table}
    where sealed_with ${comparison} $1 and (sealed_with, ${owner}) > ($2, $3) and ${secret} is not null
    order by sealed_with, ${owner} limit $4)`;
  return {
    table,
    purpose,
    read: prepared<Row>(`${left('<')} union all ${left('>')} order by sealed_with, owner limit $4`),
    // locked rows are skipped: no deadlock, and no change is undone
    write: prepared<{ owner: string }>(`
      with given as (
        select * from jsonb_to_recordset($1::jsonb) as g(owner text, before text, after text)
      ), free as (
        select t.${owner} as owner, given.after from ${table} t join given on given.owner = t.${owner}
        where t.${secret} = given.before for update of t skip locked
      )
      update ${table} t set ${secret} = free.after, sealed_with = $2 from free where t.${owner} = free.owner
      returning t.${owner} as owner`),
  };
}

/** Takes a lock of the transaction: behind PgBouncer a session lock would stay. @returns undefined where another run is under way */
async function aloneIn<T>(pool: Pool, work: () => Promise<T | undefined>): Promise<T | undefined> {
  return inTransaction(pool, async (holder) => {
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    // without parameters, which would leave a snapshot open and keep PostgreSQL from vacuuming
    const { rows } = await holder.query<{ held: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCKS.reencryption}) as held`,
    );
    return rows[0]?.held ? work() : undefined;
  });
}
