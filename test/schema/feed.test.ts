import { expect, test } from 'vitest';
import { noteFollower } from '../../src/inventory/feed/followers.ts';
import { readNewEnd } from '../../src/inventory/feed/give-positions.ts';
import type { ServiceCaller } from '../../src/partners/rights.ts';
import { createServiceAccount } from '../../src/people/staff/service-accounts.ts';
import { apply, newEvent, PRODUCTION_PROGRAM_ID, ticketRow } from '../src/inventory/stage.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const support = await newStaff(app, 'support');

const CHANGES = `query ($after: String, $event: String, $first: Int) {
  ticketChanges(after: $after, event: $event, first: $first) {
    changes { id reference event ticketType fanId wallet status onchain listing { price } sale { price } at } cursor
  }
}`;
const FOLLOWERS = '{ feedFollowers { accountId name event behind hasMore behindSince snapshotAt } }';

async function event(count: number) {
  const { event, type, rows } = newEvent();
  const tickets = Array.from({ length: count }, (_, at) => ticketRow(event, type, `${event}-${at}`));
  await apply(app, [...rows, ...tickets]);
  return { event, type };
}

test('people read what has changed since a cursor, page by page, without phone numbers', async () => {
  const { changes: none, cursor } = await askAs(app, support, CHANGES);
  expect(none).toEqual([]);
  const { event: name, type } = await event(3);
  const first = await askAs(app, support, CHANGES, { after: cursor, first: 2 });
  const second = await askAs(app, support, CHANGES, { after: first.cursor, event: name });
  const line = {
    event: name,
    ticketType: type,
    fanId: expect.stringMatching(/^usr_/),
    wallet: null,
    status: 'valid',
    listing: null,
  };
  expect([...first.changes, ...second.changes]).toMatchObject(
    [0, 1, 2].map((at) => ({ ...line, reference: `${name}-${at}` })),
  );
  await expect(askAs(app, support, CHANGES, { after: 'none' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(askAs(app, support, CHANGES, { after: cursor, first: 101 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('staff see who follows, and how many tickets of its event each has not read', async () => {
  const { event: name } = await event(2);
  const wish = { name: 'Gate 3', scopes: ['inventory:read'], days: 1, callsPerMinute: 60 };
  const { account } = await createServiceAccount(app.context(), wish, 'system');
  const { position } = await readNewEnd(app.runtime.pool, 1_000);
  const id = account.id as ServiceCaller['id'];
  await noteFollower(app.context(), { account: id, event: name, position, bySnapshot: true });
  await noteFollower(app.context(), { account: id, event: undefined, position: 0, bySnapshot: false });
  await event(1);
  const follower = async (of: string | null) =>
    (await askAs(app, support, FOLLOWERS)).find((each: { event: string | null }) => each.event === of);
  expect(await follower(name)).toMatchObject({ name: 'Gate 3', accountId: id, behind: 0, behindSince: null });
  // read by another follower, and then changed again
  await readNewEnd(app.runtime.pool, 1_000);
  const set = `update ticket set status = 'void' where reference = $1`;
  await app.runtime.pool.query(set, [`${name}-0`]);
  expect(await follower(name)).toMatchObject({ behind: 1, hasMore: false, behindSince: expect.any(String) });
  expect(await follower(null)).toMatchObject({
    behind: expect.toSatisfy((behind: number) => behind >= 3),
    snapshotAt: null,
  });
});
