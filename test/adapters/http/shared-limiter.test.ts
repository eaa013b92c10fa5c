import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwoProcesses, type TwoProcesses } from '../../races/two-processes.ts';
import { callFan, postForm, refreshForm, signIn } from '../../support/partner.ts';
import type { TestApp } from '../../support/start-app.ts';

const LIMIT = 20;
/** Two exchanges. */
const EXCHANGED_MS = 2_500;

let both: TwoProcesses;
beforeAll(async () => {
  both = await startTwoProcesses({
    SHARED_LIMITS: 'true',
    FAN_RATE_LIMIT: String(LIMIT),
    TOKEN_FAILURE_LIMIT: String(LIMIT),
  });
});
afterAll(() => both.stop());

/** Calls until one is refused. @returns how many were not */
async function callsUntilRefused(call: () => Promise<{ status: number }>): Promise<number> {
  for (let calls = 0; ; calls++) if ((await call()).status === 429 || calls > 2 * LIMIT) return calls;
}

describe('D-234: SHARED_LIMITS', () => {
  it('two processes keep one limit', async () => {
    const { one: first, two: second } = both;
    const { access_token: token } = await signIn(first);
    for (let call = 0; call < 12; call++) expect((await callFan(first, '/tickets', token)).status).toBe(200);
    await sleep(EXCHANGED_MS);
    // a process learns what the others counted with a call of its own
    expect((await callFan(second, '/tickets', token)).status).toBe(200);
    await sleep(EXCHANGED_MS);
    const more = await callsUntilRefused(() => callFan(second, '/tickets', token));
    expect(more).toBe(LIMIT - 13);
    await sleep(EXCHANGED_MS);
    expect((await callFan(first, '/tickets', token)).status).toBe(200);
    await sleep(EXCHANGED_MS);
    expect((await callFan(first, '/tickets', token)).status).toBe(429);
  });

  it('so do refused token requests, by address', async () => {
    const { one: first, two: second } = both;
    const refused = (app: TestApp) => postForm(app, '/oauth2/token', refreshForm(app, 'rt_unknown'));
    for (let call = 0; call < 12; call++) expect((await refused(first)).status).toBe(400);
    await sleep(EXCHANGED_MS);
    expect((await refused(second)).status).toBe(400);
    await sleep(EXCHANGED_MS);
    expect(await callsUntilRefused(() => refused(second))).toBe(LIMIT - 13);
  });

  it('no address or grant is stored as it is', async () => {
    const { rows } = await both.one.runtime.pool.query(`select key from rate_limit where key like 'call %'`);
    expect(rows.length).toBe(2);
    for (const { key } of rows) expect(key).toMatch(/^call (fan|token failures):[\w-]{43}$/);
  });
});
