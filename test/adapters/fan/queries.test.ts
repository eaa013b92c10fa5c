import { beforeAll, describe, expect, it } from 'vitest';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

let token: string;
const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
beforeAll(async () => {
  const scope = 'openid fan:tickets:read fan:listings:write fan:claims:write';
  token = (await signIn(app, { scope })).access_token;
});

const OPERATIONS: [string, RequestInit][] = [
  ['/tickets', {}],
  ['/authorizations', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
  ['/claims/execute', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
];

describe('the query of an operation of the Fan API', () => {
  it.each(OPERATIONS)(
    '%s: parameters that it does not know are ignored, also twice and as lists',
    async (path, init) => {
      const plain = await callFan(app, path, token, init);
      for (const query of [
        '?x=1',
        '?x=1&x=2',
        '?x[]=1&x[0]=2',
        '?__proto__=1',
        '?&&=',
        '?EVENT_ID=evt_x',
        '?event_id_=y',
      ]) {
        const answer = await callFan(app, path + query, token, init);
        expect([answer.status, answer.body], query).toEqual([plain.status, plain.body]);
      }
    },
  );

  it.each(['event_id', 'limit', 'cursor'])('/tickets: %s twice or as a list is refused by its name', async (name) => {
    for (const query of [
      `${name}=1&${name}=1`,
      `${name}[]=1`,
      `${name}[0]=1`,
      `${name}=1&${name}[]=1`,
      `${name}%5B%5D=1`,
    ]) {
      const { status, body } = await callFan(app, `/tickets?${query}`, token);
      expect([status, body], query).toEqual([400, { message: `${name} must be given once, as ${name}=value` }]);
    }
  });

  it.each(OPERATIONS.slice(1))('%s has no such parameters: those of /tickets are ignored', async (path, init) => {
    const plain = await callFan(app, path, token, init);
    const answer = await callFan(app, `${path}?event_id=1&event_id=2&limit[]=x`, token, init);
    expect([answer.status, answer.body]).toEqual([plain.status, plain.body]);
  });

  it.each(OPERATIONS.slice(1))('%s refuses a compressed body by 415', async (path, init) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await callFan(app, path, token, { ...init, headers });
    expect([answer.status, answer.body.message]).toEqual([
      415,
      'Content-Encoding is not supported: send the body as it is.',
    ]);
  });

  it('the next page is asked for with the parameters that count, and no others', async () => {
    const { headers } = await callFan(app, `/tickets?limit=1&utm_source=mail`, token);
    expect(headers.get('link')).toMatch(/\/fan\/tickets\?limit=1&cursor=[\w-]+>; rel="next"$/);
  });
});
