import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BAD_TOKENS, resigned } from '../../support/bad-tokens.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { signIn, type Tokens } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

const Userinfo = z.strictObject({
  sub: z.string().startsWith('usr_'),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_id: z.string().startsWith('grant_'),
  iss: z.string(),
  aud: z.literal('svc-api'),
});
const OAuthError = z.strictObject({ error: z.string(), error_description: z.string().min(10) });

let app: TestApp;
let tokens: Tokens;
beforeAll(async () => {
  // the table makes its tokens now and then; none may run out before it is sent
  app = await startApp({ env: { ACCESS_TOKEN_TTL: '600' } });
  tokens = await signIn(app);
});
afterAll(() => app.stop());

async function userinfo(authorization: string | undefined, init: RequestInit = {}, query = '') {
  const answer = await fetch(`${app.config.authUrl}/oauth2/userinfo${query}`, {
    ...init,
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe.each(['GET', 'POST'])('spec §5.12: %s userinfo', (method) => {
  it('answers exactly six fields, those of the access token', async () => {
    const { status, headers, body } = await userinfo(`Bearer ${tokens.access_token}`, { method });
    expect(status).toBe(200);
    const { sub, scope, granted_actions, grant_id, iss, aud } = decodeJwt(tokens.access_token);
    expect(Userinfo.parse(body)).toEqual({ sub, scope, granted_actions, grant_id, iss, aud });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('takes the scheme in any case (RFC 9110 §11.1)', async () => {
    expect((await userinfo(`bearer ${tokens.access_token}`, { method })).status).toBe(200);
  });

  it('takes no token from the query (RFC 6750 §2.3)', async () => {
    const answer = await userinfo(undefined, { method }, `?access_token=${tokens.access_token}`);
    expect(answer.status).toBe(401);
  });
});

it('RFC 6750 §2.2: takes no token from a form', async () => {
  const body = new URLSearchParams({ access_token: tokens.access_token });
  expect((await userinfo(undefined, { method: 'POST', body })).status).toBe(401);
});

it('the tool of the table signs as the server does: an unchanged payload is accepted', async () => {
  expect((await userinfo(await resigned(app, tokens, {}))).status).toBe(200);
});

describe('spec §7: invalid_token', () => {
  it.each(BAD_TOKENS)('refuses $rule', async ({ authorization }) => {
    const { status, headers, body } = await userinfo(await authorization(app, tokens));
    expect(status).toBe(401);
    expect(OAuthError.parse(body).error).toBe('invalid_token');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"(, error_description="[^"\\]+")?$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('spec §5.9: refuses an access token from the second in which its lifetime is over', async () => {
  const clock = freezeClock(app);
  const { access_token: token } = await signIn(app);
  clock.pass(599);
  expect((await userinfo(`Bearer ${token}`)).status).toBe(200);
  clock.pass(1);
  const { status, headers } = await userinfo(`Bearer ${token}`);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toContain('expired');
  clock.release();
});
