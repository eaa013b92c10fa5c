import { describe, expect, test } from 'vitest';
import { makeSandboxKey } from '../../../../src/sandbox/failure/sandbox-key.ts';
import { sandboxOf } from '../../../flows/failures/sandbox.ts';
import { signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();
const sandbox = await sandboxOf(app, app.kit.client_id);

const callWith = async (authorization: string | undefined, path = '', init: RequestInit = {}) => {
  const answer = await fetch(`${app.config.apiUrl}/sandbox${path}`, {
    ...init,
    headers: { ...init.headers, ...(authorization !== undefined && { authorization }) },
  });
  return { status: answer.status, code: answer.headers.get('x-error-code'), body: await answer.json() };
};

describe('the sandbox’s endpoints', () => {
  test('answer with what is simulated, and say when nothing is', async () => {
    await sandbox.arm('slow_answer', { seconds: 5, operation: 'tickets.list', times: 2 });
    await sandbox.clock(10);
    expect((await sandbox.call('GET', '')).body).toMatchObject({
      client_id: app.kit.client_id,
      clock: { ahead_seconds: 10 },
      armed: [{ failure: 'slow_answer', operation: 'tickets.list', times_left: 2, seconds: 5 }],
    });
    await sandbox.disarm('slow_answer');
    expect(await sandbox.armed()).toEqual([]);
    await sandbox.end();
    expect((await sandbox.call('GET', '')).body).toEqual({
      client_id: app.kit.client_id,
      clock: { ahead_seconds: 0 },
      armed: [],
    });
  });

  test('require the newest key of a sandbox client', async () => {
    const old = await makeSandboxKey(app.context(), app.kit.client_id, 'test');
    expect((await callWith(`Bearer ${old}`)).status).toBe(200);
    const key = await makeSandboxKey(app.context(), app.kit.client_id, 'test');
    expect(await callWith(`Bearer ${old}`)).toMatchObject({ status: 401, code: 'access_token_invalid' });
    expect((await callWith(`Bearer ${key}`)).status).toBe(200);
    expect(await callWith(undefined)).toMatchObject({ status: 401, code: 'access_token_missing' });
    const { access_token } = await signIn(app);
    expect((await callWith(`Bearer ${access_token}`)).status).toBe(401);
    Object.assign(sandbox, await sandboxOf(app, app.kit.client_id));
  });

  test.each([
    ['/failures', {}, 'failure'],
    ['/failures', { failure: 'none_such' }, 'failure'],
    ['/failures', { failure: 'unavailable', times: 'two' }, 'times'],
    ['/failures', { failure: 'unavailable', more: 1 }, 'more'],
    ['/clock', { ahead_seconds: -1 }, 'ahead_seconds'],
    ['/clock', { ahead_seconds: 40_000_000 }, 'ahead_seconds'],
    ['/end', { now: true }, 'now'],
  ])('%s with %j is 400 and names the field', async (path, body, field) => {
    const answer = await sandbox.call('POST', path, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(field)]);
  });

  test('are closed to the pages of browsers: no origin is allowed', async () => {
    const answer = await fetch(`${app.config.apiUrl}/sandbox`, {
      headers: { origin: 'http://localhost:4000', authorization: 'Bearer x' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
