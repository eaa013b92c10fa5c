import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { openWire } from '../../support/database-wire.ts';
import {
  authorizeUrl,
  codeForm,
  obtainCode,
  postForm,
  refreshForm,
  signIn,
  type Tokens,
} from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

let database: TestDatabase;
let wire: Awaited<ReturnType<typeof openWire>>;
let app: TestApp;
let tokens: Tokens;
beforeAll(async () => {
  database = await createDatabase();
  wire = await openWire(database.url);
  app = await startApp({ databaseUrl: wire.url });
  tokens = await signIn(app);
});
afterAll(async () => {
  await app.stop();
  await wire.cut();
  await database.drop();
});

/** Runs `work` while the database can not be reached. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  await wire.cut();
  try {
    await work();
  } finally {
    await wire.mend();
  }
}

describe('D-020 status: 503 when the database is away', () => {
  it('token, revocation and userinfo say so in the terms of OAuth, with Retry-After', async () => {
    const code = codeForm(await obtainCode(app));
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    await whileDown(async () => {
      for (const answer of [
        await postForm(app, '/oauth2/token', code),
        await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token)),
        await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token }),
        await read(`${app.config.authUrl}/oauth2/userinfo`, { headers }),
      ]) {
        expect(answer.status).toBe(503);
        expect(answer.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      }
    });
    expect((await postForm(app, '/oauth2/token', code)).status, 'the code was not spent').toBe(200);
    const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    expect(refreshed.status, 'the refresh token was not rotated').toBe(200);
  });

  it('authorize says so on a page, since a person waits there', async () => {
    const { url } = await authorizeUrl(app);
    await whileDown(async () => {
      const answer = await fetch(url, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(await answer.text()).toContain(answer.headers.get('x-request-id'));
    });
  });

  it('also to a page: the origin of a partner who was here a moment ago may read it, an unknown one gets it unnamed', async () => {
    const form = refreshForm(app, tokens.refresh_token);
    const partner = 'http://localhost:4000';
    await postForm(app, '/oauth2/revoke', {}, { origin: partner });
    await whileDown(async () => {
      for (const [origin, named] of [
        [partner, partner],
        ['https://unknown.example.com', null],
      ] as const) {
        const { status, headers, body } = await postForm(app, '/oauth2/token', form, { origin });
        expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
        expect(headers.get('access-control-allow-origin')).toBe(named);
      }
    });
  });

  it('discovery and JWKS are answered from memory, so that others can go on verifying tokens', async () => {
    await whileDown(async () => {
      for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
        expect((await fetch(`${app.config.authUrl}${path}`)).status, path).toBe(200);
      }
    });
  });
});

async function read(url: string | URL, init: RequestInit) {
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}
