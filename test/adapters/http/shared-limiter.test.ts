import { afterAll, describe, expect, it } from 'vitest';
import { startTwoProcesses } from '../../races/two-processes.ts';
import { callFan, postForm, refreshForm, signIn } from '../../support/partner.ts';
import type { TestApp } from '../../support/start-app.ts';

const LIMIT = 20;

const both = await startTwoProcesses({
  tokenFailureLimit: LIMIT,
  env: { FAN_RATE_LIMIT: String(LIMIT) },
});
afterAll(() => both.stop());

/** Waits until the calls of a limit that the processes have told each other come to a number. */
async function exchanged(limit: 'fan' | 'token failures', calls: number): Promise<void> {
  const counted = async () => {
    const text = 'select sum(points)::int as points from rate_limit where key like $1';
    return (await both.one.runtime.pool.query<{ points: number }>(text, [`call ${limit}:%`])).rows[0]?.points;
  };
  await expect.poll(counted, { timeout: 10_000 }).toBe(calls);
}

/** Calls until one is refused. @returns how many were not */
async function callsUntilRefused(call: () => Promise<{ status: number }>): Promise<number> {
  for (let calls = 0; ; calls++) if ((await call()).status === 429 || calls > 2 * LIMIT) return calls;
}

describe('D-234: limits of calls', () => {
  it('two processes keep one limit', async () => {
    const { one: first, two: second } = both;
    const { access_token: token } = await signIn(first);
    for (let call = 0; call < 12; call++) expect((await callFan(first, '/tickets', token)).status).toBe(200);
    await exchanged('fan', 12);
    // a process learns what the others counted with a call of its own
    expect((await callFan(second, '/tickets', token)).status).toBe(200);
    await exchanged('fan', 13);
    const more = await callsUntilRefused(() => callFan(second, '/tickets', token));
    expect(more).toBe(LIMIT - 13);
    await exchanged('fan', 20);
    expect((await callFan(first, '/tickets', token)).status).toBe(200);
    await exchanged('fan', 21);
    expect((await callFan(first, '/tickets', token)).status).toBe(429);
  });

  it('so do refused token requests, by address', async () => {
    const { one: first, two: second } = both;
    const refused = (app: TestApp) => postForm(app, '/oauth2/token', refreshForm(app, 'rt_unknown'));
    for (let call = 0; call < 12; call++) expect((await refused(first)).status).toBe(400);
    await exchanged('token failures', 12);
    expect((await refused(second)).status).toBe(400);
    await exchanged('token failures', 13);
    expect(await callsUntilRefused(() => refused(second))).toBe(LIMIT - 13);
  });

  it('no address or grant is stored as it is', async () => {
    const { rows } = await both.one.runtime.pool.query(`select key from rate_limit where key like 'call %'`);
    expect(rows.length).toBe(2);
    for (const { key } of rows) expect(key).toMatch(/^call (fan|token failures):[\w-]{43}$/);
  });
});
