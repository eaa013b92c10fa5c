import { expect, it } from 'vitest';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp({ env: { FAN_RATE_LIMIT: '3' } });

it('D-082: a grant has so many calls a minute, then 429 with Retry-After and RateLimit-*; other grants go on', async () => {
  const { access_token: token } = await signIn(app);
  const seen: (string | null)[] = [];
  for (let call = 0; call < 3; call++) {
    const { status, headers } = await callFan(app, '/tickets', token);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-limit')).toBe('3');
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    seen.push(headers.get('ratelimit-remaining'));
  }
  expect(seen).toEqual(['2', '1', '0']);
  const { status, headers, body } = await callFan(app, '/tickets', token, {
    headers: { origin: 'http://localhost:4000' },
  });
  expect(status).toBe(429);
  expect(Object.keys(body)).toEqual(['message']);
  expect(headers.get('x-error-code')).toBe('rate_limited');
  expect(headers.get('ratelimit-remaining')).toBe('0');
  const wait = Number(headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(headers.get('access-control-allow-origin')).toBe('http://localhost:4000');
  expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  const { access_token: another } = await signIn(app);
  expect((await callFan(app, '/tickets', another)).status).toBe(200);
});

it('refused tokens cost no grant its calls', async () => {
  const { access_token: token } = await signIn(app);
  for (let call = 0; call < 5; call++) expect((await callFan(app, '/tickets', `${token}x`)).status).toBe(401);
  expect((await callFan(app, '/tickets', token)).headers.get('ratelimit-remaining')).toBe('2');
});
