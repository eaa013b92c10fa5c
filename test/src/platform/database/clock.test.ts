import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../../src/platform/database/clock.ts';
import { testDatabase } from '../../../support/database.ts';
import { authorize, callFan, consent, exchange, obtainCode, refresh, verifyPhone } from '../../../support/partner.ts';
import { startApp } from '../../../support/start-app.ts';
import { startBeside } from '../../../support/start-beside.ts';

/** D-227: two machines whose clocks are four minutes apart, over one database. */
const AHEAD = 120;
const database = await testDatabase();
const fast = await startBeside(database, { clockAhead: AHEAD });
const slow = await startBeside(database, { clockAhead: -AHEAD });

afterAll(async () => {
  await fast.stop();
  await slow.stop();
});

describe('D-227 one clock: processes on machines whose clocks are four minutes apart', () => {
  it.each([
    ['ahead', 'behind', () => [fast, slow] as const],
    ['behind', 'ahead', () => [slow, fast] as const],
  ])(
    'a sign-in at the one that is %s is finished at the one that is %s, and its tokens are good at both',
    async (_, __, apps) => {
      const [one, other] = apps();
      const started = await authorize(one);
      await verifyPhone(other, started);
      const callback = await consent(one, started);
      const tokens = await exchange(other, { ...started, code: callback.searchParams.get('code') ?? '' });
      const refreshed = await refresh(one, tokens.refresh_token);
      expect([tokens.status, refreshed.status]).toEqual([200, 200]);
      for (const token of [tokens.access_token, refreshed.access_token]) {
        for (const app of [one, other]) expect((await callFan(app, '/tickets', token)).status).toBe(200);
        const { iat = 0, exp = 0 } = decodeJwt(token);
        expect(exp - iat).toBe(60);
        expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(5);
      }
    },
  );

  it('a code of the one lives for its minute at the other, and no longer', async () => {
    for (const [one, other] of [
      [fast, slow],
      [slow, fast],
    ] as const) {
      const [good, late] = [await obtainCode(one), await obtainCode(one)];
      other.advance(40);
      const inTime = await exchange(other, good);
      other.advance(25);
      const tooLate = await exchange(other, late);
      other.resetClock();
      expect([inTime.status, tooLate.status]).toEqual([200, 400]);
    }
  });

  it('an access token expires at both after the same time', async () => {
    const { access_token } = await exchange(fast, await obtainCode(slow));
    for (const app of [fast, slow]) {
      app.advance(40);
      expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
      app.advance(22);
      expect((await callFan(app, '/tickets', access_token)).status).toBe(401);
      app.resetClock();
    }
  });

  it('the Date header is the common time, by which the login pages count down', async () => {
    for (const app of [fast, slow]) {
      const { headers } = await fetch(`${app.origin}/healthz`);
      expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000);
    }
  });

  it('/readyz of both says 503 and names the clock, so that somebody looks', async () => {
    for (const app of [fast, slow]) {
      const answer = await fetch(`${app.origin}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', missing: ['clock'] }]);
    }
  });
});

describe('D-227 the clock of a process', () => {
  it('does not jump where the machine’s clock is set between two measurements', async () => {
    let setBy = 0;
    const clock = createClock(fast.runtime.pool, () => Date.now() + setBy);
    await clock.measure();
    setBy = -3_600_000;
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(500);
    expect(Math.abs(clock.aheadMs() - setBy)).toBeLessThan(500);
  });

  it('a machine that is 25 seconds off is still ready', async () => {
    const near = await startApp({ databaseUrl: database, clockAhead: 25 });
    const answer = await fetch(`${near.origin}/readyz`);
    await near.stop();
    expect(answer.status).toBe(200);
  });
});
