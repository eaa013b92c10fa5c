import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

async function get(path: string) {
  // nothing is remembered for so long
  app.advance(5);
  const answer = await fetch(app.origin + path);
  return { status: answer.status, body: await answer.json(), id: answer.headers.get('x-request-id') };
}

describe('D-010: health', () => {
  it('/healthz says that the process is alive, /readyz that it can work', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('/readyz names what is missing, and nothing of its address; /healthz stays', async () => {
    const { pool } = app.runtime;
    const { query } = pool;
    pool.query = (() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1'))) as never;
    const { status, body } = await get('/readyz');
    const alive = await get('/healthz');
    pool.query = query;
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'not ready', missing: expect.arrayContaining(['database']) });
    expect(JSON.stringify(body)).not.toContain('10.0.0.1');
    expect(alive.status).toBe(200);
  });

  it('a database that gives no answer counts as missing after two seconds', async () => {
    const { pool } = app.runtime;
    const { query } = pool;
    pool.query = (() => new Promise(() => {})) as never;
    const started = performance.now();
    const { status } = await get('/readyz');
    pool.query = query;
    expect(status).toBe(503);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('D-231: /readyz is for everybody', () => {
  it('a thousand calls ask the database once, and what it said is asked again a second later', async () => {
    const { pool } = app.runtime;
    const { query } = pool;
    let asked = 0;
    pool.query = ((...call: unknown[]) => {
      if (String(call[0]).includes('pg_is_in_recovery')) asked += 1;
      return Reflect.apply(query, pool, call);
    }) as never;
    app.advance(5);
    for (let burst = 0; burst < 20; burst++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${app.origin}/readyz`)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      for (const answer of answers) await answer.body?.cancel();
    }
    const atOnce = asked;
    app.advance(1);
    await get('/readyz');
    pool.query = query;
    expect(atOnce).toBeLessThanOrEqual(4);
    expect(atOnce).toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(atOnce);
  });

  it('a clock that was set back asks again', async () => {
    const { pool } = app.runtime;
    await get('/readyz');
    app.resetClock();
    const { query } = pool;
    pool.query = (() => Promise.reject(new Error('away'))) as never;
    const { status } = await fetch(`${app.origin}/readyz`);
    pool.query = query;
    expect(status).toBe(503);
  });
});

describe('D-011: every answer has an X-Request-Id', () => {
  it.each(['/healthz', '/readyz', '/fan/tickets', '/.well-known/jwks.json'])(
    '%s: a new one each time',
    async (path) => {
      const [one, two] = [await get(path), await get(path)];
      expect(one.id).toMatch(/^[0-9a-f-]{36}$/);
      expect(two.id).not.toBe(one.id);
    },
  );

  it('a caller’s own is not taken over', async () => {
    const { headers } = await fetch(`${app.origin}/healthz`, { headers: { 'x-request-id': 'chosen' } });
    expect(headers.get('x-request-id')).not.toBe('chosen');
  });
});
