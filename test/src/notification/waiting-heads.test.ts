import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type Uuid, uuidOf } from '../../../src/identifier/type-id.ts';
import { createHeadReader, deferFollowers } from '../../../src/notification/waiting-heads.ts';
import { measureWork } from '../../support/measure-work.ts';
import { testApp } from '../../support/test-app.ts';
import { endpointOf } from './notification-stage.ts';

const app = await testApp();
const { pool } = app.runtime;
let endpoint: Uuid;

beforeAll(async () => {
  endpoint = uuidOf('nep', (await endpointOf(app, 'set_push', 'https://partner.example/events')).endpoint.id);
});
beforeEach(async () => void (await pool.query('delete from notification')));

/** Notifications in turns of the lanes, due for an hour and later. @returns the lanes, in the order of their heads */
async function fill(lanes: number, depth: number, startMs = 0): Promise<Uuid[]> {
  const { rows } = await pool.query<{ lane: Uuid }>(
    `with lanes as (select gen_random_uuid() as lane from generate_series(1, $2))
     insert into notification (jti, endpoint_id, lane, type, data, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, lane, 'endpoint.test', '{}', now(),
       now() - interval '1 hour' + ($4 + row_number() over (order by at, lane)) * interval '1 ms', now() + interval '1 day'
     from lanes, generate_series(1, $3) at order by at, lane returning lane`,
    [endpoint, lanes, depth, startMs],
  );
  return rows.slice(0, lanes).map(({ lane }) => lane);
}

const reading = (busy: readonly Uuid[] = [], most = 32) => ({ now: new Date(), busy, most });

it('however many notifications wait in a few lanes, a reading looks at a few hundred at most', async () => {
  const lanes = await fill(8, 400);
  await pool.query('analyze notification');
  let heads: readonly { lane: Uuid }[] = [];
  const { rows } = await measureWork(app, async () => {
    heads = await createHeadReader(pool, endpoint)(reading());
  });
  expect(heads.map(({ lane }) => lane)).toEqual(lanes);
  expect(rows).toBeLessThan(800);
});

it('lanes behind a long one that is on its way come in turn, and none is left out', async () => {
  const [long] = await fill(1, 150);
  const others = await fill(10, 2, 1_000);
  const read = createHeadReader(pool, endpoint);
  const busy = [long as Uuid];
  const rounds = [];
  for (let round = 0; round < 3; round++) rounds.push((await read(reading(busy, 4))).map(({ lane }) => lane));
  expect(rounds.map((lanes) => lanes.length)).toEqual([4, 4, 2]);
  expect(new Set(rounds.flat())).toEqual(new Set(others));
  expect(
    (await read(reading(busy, 4))).map(({ lane }) => lane),
    'from the beginning',
  ).toEqual(rounds[0]);
});

it('a lane whose first waits for its next attempt gives nothing, and its followers wait with it', async () => {
  const [lane] = await fill(1, 150);
  await pool.query(
    `update notification set due_at = now() + interval '1 hour' where id = (select min(id) from notification)`,
  );
  const read = createHeadReader(pool, endpoint);
  expect(await read(reading())).toEqual([]);
  await deferFollowers(pool, endpoint, new Date());
  const { rows } = await pool.query('select lane from notification where due_at <= now()');
  expect([lane, rows]).toEqual([lane, []]);
});
