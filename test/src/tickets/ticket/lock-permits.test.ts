import { beforeAll, expect, it } from 'vitest';
import { inTransaction, prepared } from '../../../../src/platform/database/prepared.ts';
import { lockPermits, runOnPermits } from '../../../../src/tickets/ticket/lock-permits.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';

/** Addresses in the order of their permits' ids. */
let addresses: string[];
const app = await testApp();
beforeAll(async () => {
  const { rows } = await app.runtime.pool.query<{ tix_permit_id: string }>(
    'select tix_permit_id from permit order by id limit 2',
  );
  addresses = rows.map((row) => row.tix_permit_id);
  expect(addresses).toHaveLength(2);
});

const isFree = async (address: string | undefined) =>
  app.runtime.pool
    .query('select from permit where tix_permit_id = $1 for update nowait', [address])
    .then(() => true)
    .catch(() => false);

const onPermits = (textOf: (wait: 'nowait' | '') => string) => ({
  atOnce: prepared<{ count: number }>(textOf('nowait')),
  waiting: prepared<{ count: number }>(textOf('')),
});

const revision = onPermits(
  (wait) => `with held as (select id from permit where tix_permit_id = any($1) order by id for update ${wait})
    select count(*) filter (where p.revoked_at is not null)::int as count from held join permit p using (id)`,
);

it('permits are locked in the order of their ids, whatever order they are named in', async () => {
  const { pool } = app.runtime;
  const [low, high] = addresses;
  const second = await inTransaction(pool, async (first) => {
    await lockPermits(first, [[low]]);
    const second = inTransaction(pool, async (client) => (await lockPermits(client, [[high, low]])).length);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    expect(await isFree(high)).toBe(true);
    return { second };
  });
  expect(await second.second).toBe(2);
});

it('a statement on permits that somebody holds sees what its holder has changed', async () => {
  const { pool } = app.runtime;
  const run = () => runOnPermits(pool, revision, addresses, [addresses]);
  expect(await run()).toEqual([{ count: 0 }]);
  const { waiting } = await inTransaction(pool, async (holder) => {
    await lockPermits(holder, [addresses]);
    await holder.query('update permit set revoked_at = now() where tix_permit_id = $1', [addresses[0]]);
    const waiting = run();
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    return { waiting };
  });
  expect(await waiting).toEqual([{ count: 1 }]);
});

it('a statement that locks more than the permits waits for that too', async () => {
  const { pool } = app.runtime;
  const ofTickets = onPermits(
    (wait) => `with held as (select t.id from permit p join ticket t on t.id = p.ticket_id
        where p.tix_permit_id = any($1) order by p.id for update of p, t ${wait})
      select count(*)::int as count from held`,
  );
  const { waiting } = await inTransaction(pool, async (holder) => {
    await holder.query(
      'select from ticket where id = (select ticket_id from permit where tix_permit_id = $1) for update',
      [addresses[0]],
    );
    const waiting = runOnPermits(pool, ofTickets, addresses, [addresses]);
    waiting.catch(() => undefined);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    return { waiting };
  });
  expect(await waiting).toEqual([{ count: 2 }]);
});

it('a statement that fails for another reason is not run again', async () => {
  const wrong = onPermits(() => 'select 1 / (select count(*) from permit where id is null) as none, $1::text[]');
  const { statements } = await countStatements(() =>
    expect(runOnPermits(app.runtime.pool, wrong, addresses, [addresses])).rejects.toMatchObject({ code: '22012' }),
  );
  expect(statements).toHaveLength(1);
});
