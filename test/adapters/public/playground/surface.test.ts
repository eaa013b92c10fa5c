import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createApp } from '../../../../adapters/app.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { createTestUser } from '../../../../src/sandbox/test-users.ts';
import { listen } from '../../../support/listen.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

const read = async (path: string) => {
  const answer = await fetch(`${app.origin}/playground${path}`);
  return { answer, body: await answer.json() };
};

test('D-289: the playground offers every test user of its own partner, and nobody else’s nor the shared ones', async () => {
  const context = app.context();
  const { em } = context;
  const own = await em.findOneOrFail(Partner, { name: 'Front Row' });
  const other = em.create(Partner, { name: 'Another partner', createdAt: new Date() });
  const added = await createTestUser(context, own, 'test');
  await createTestUser(context, other, 'test');
  await createTestUser(context, null, 'test');
  await em.flush();
  app.advance(6);

  const { body } = await read('/config.json');
  const expected = [...app.kit.test_users.map(({ id }) => id), added.fan.id].sort();
  expect(body.test_users.map(({ id }: { id: string }) => id)).toEqual(expected);
  expect(Object.keys(body.test_users[0]).sort()).toEqual(['code', 'id', 'phone', 'wallet_address']);
  expect(body.client_id).toBe(app.kit.client_id);
});

test('the request log shows the playground’s own client only, newest first, without fan, grant or secret', async () => {
  const other = await makeClient(app);
  const foreign = await fetch(`${app.config.authUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: other, refresh_token: 'rt_none' }),
  });
  const tokens = await signIn(app);
  const listed = await callFan(app, '/tickets', tokens.access_token);
  const last = await callFan(app, '/ticket', tokens.access_token);
  await app.runtime.activity.flush();
  app.advance(2);

  const { body, answer } = await read('/requests.json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const ids = body.requests.map(({ id }: { id: string }) => id);
  expect(ids).toContain(listed.headers.get('x-request-id'));
  expect(ids).not.toContain(foreign.headers.get('x-request-id'));
  expect(ids).not.toContain(last.headers.get('x-request-id'));
  const times = body.requests.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort().reverse());
  const text = JSON.stringify(body);
  for (const secret of [tokens.access_token, tokens.refresh_token, tokens.grant_id, ...phones()]) {
    expect(text).not.toContain(secret);
  }
  expect(Object.keys(body.requests[0]).sort()).toEqual(
    ['at', 'duration_ms', 'fix', 'id', 'label', 'message', 'method', 'outcome', 'status', 'title'].sort(),
  );
});

const phones = () => app.kit.test_users.flatMap(({ phone, id }) => [phone, id]);

test('many readers of the log together ask the database once a second', async () => {
  let asked = 0;
  const { pool } = app.runtime;
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (...given: Parameters<typeof query>) => {
      if (JSON.stringify(given[0]).includes('from request_log')) asked += 1;
      return query(...given);
    },
  });
  app.advance(5);
  await Promise.all(Array.from({ length: 20 }, () => read('/requests.json')));
  Object.assign(pool, { query });

  expect(asked).toBe(1);
});

test('D-289: in production there is no playground, also where the database has a starter kit', async () => {
  const runtime = { ...app.runtime, config: { ...app.config, production: true } };
  const { url, stop } = await listen(createServer((await createApp(runtime, app.kit)).callback()));
  for (const path of ['', '/config.json', '/requests.json']) {
    expect((await fetch(`${url}/playground${path}`)).status).toBe(404);
  }
  await stop();
});
