import { expect, it } from 'vitest';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { givenRows } from '../../../../src/platform/database/share-statement.ts';
import { lockPermits, shareOnPermits } from '../../../../src/tickets/ticket/lock-permits.ts';
import { rows } from '../../../support/chain-app.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';

const app = await testApp();
const found = await rows<{ address: string }>(app, 'select tix_permit_id as address from permit order by id limit 2');
/** Addresses in the order of their permits' ids. */
const addresses = found.map(({ address }) => address);

const isFree = async (address: string | undefined) =>
  app.runtime.pool
    .query('select from permit where tix_permit_id = $1 for update nowait', [address])
    .then(() => true)
    .catch(() => false);

/** A statement that locks these permits, joined to their tickets `t`, and counts some of them. */
const onPermits = (locked: string, counted: string) =>
  shareOnPermits<{ addresses: string[] }, { n: number; count: number }>(
    (lock) => `with given as (select * from ${givenRows('addresses text[]')} g), held as (
      select p.* from permit p join ticket t on t.id = p.ticket_id
      where p.tix_permit_id = any(array(select unnest(addresses) from given)) order by p.id for update of ${locked} ${lock}
    ) select 0 as n, ${counted}::int as count from held join permit using (id)`,
  );

const revision = onPermits('p', 'count(*) filter (where permit.revoked_at is not null)');

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
  const run = () => revision(pool, addresses, { addresses });
  expect(await run()).toMatchObject({ count: 0 });
  const { waiting } = await inTransaction(pool, async (holder) => {
    await lockPermits(holder, [addresses]);
    await holder.query('update permit set revoked_at = now() where tix_permit_id = $1', [addresses[0]]);
    const waiting = run();
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    return { waiting };
  });
  expect(await waiting).toMatchObject({ count: 1 });
});

it('a statement that locks more than the permits waits for that too', async () => {
  const { pool } = app.runtime;
  const ofTickets = onPermits('p, t', 'count(*)');
  const { waiting } = await inTransaction(pool, async (holder) => {
    await holder.query(
      'select from ticket where id = (select ticket_id from permit where tix_permit_id = $1) for update',
      [addresses[0]],
    );
    const waiting = ofTickets(pool, addresses, { addresses });
    waiting.catch(() => undefined);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    return { waiting };
  });
  expect(await waiting).toMatchObject({ count: 2 });
});

it('a statement that fails for another reason is not run again', async () => {
  const wrong = onPermits('p', '1 / (select count(*) from permit where id is null)');
  const { statements } = await countStatements(() =>
    expect(wrong(app.runtime.pool, addresses, { addresses })).rejects.toMatchObject({ code: '22012' }),
  );
  expect(statements).toHaveLength(1);
});
