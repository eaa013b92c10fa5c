import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { freezeClock } from '../../support/freeze-clock.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { KEY_ENCRYPTION_KEY, startApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

/** D-032 refresh: staff may allow a client to present the immediate predecessor again for some seconds. */
const WINDOW = 20;
let clientId: string;
const app = await testApp();
beforeAll(async () => {
  clientId = await makeClient(app, { refreshRetryWindow: WINDOW });
});

async function refresh(token: string | undefined, changes: Record<string, string> = {}) {
  const form = refreshForm(app, token ?? '', { client_id: clientId, ...changes });
  const { status, body } = await postForm(app, '/oauth2/token', form);
  return { status, ...(body as { error?: string; refresh_token_expires_in?: number } & Partial<Tokens>) };
}

async function expectDead(...tokens: (string | undefined)[]): Promise<void> {
  for (const token of tokens) expect(await refresh(token)).toMatchObject({ status: 400, error: 'invalid_grant' });
}

describe('D-032 refresh: the predecessor presented again within the window', () => {
  it('gets the same successor and a fresh access token, both good', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    app.advance(5);
    const retried = await refresh(first.refresh_token);
    app.resetClock();
    expect(retried.status).toBe(200);
    expect(retried.refresh_token).toBe(second.refresh_token);
    const [one, two] = [second, retried].map(({ access_token }) => decodeJwt(access_token ?? ''));
    expect(one?.jti).not.toBe(two?.jti);
    expect(Number(two?.iat)).toBeGreaterThanOrEqual(Number(one?.iat) + 5);
    for (const { access_token } of [second, retried]) {
      expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
    }
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('D-019: gets it also from a process that has another KEY_ENCRYPTION_KEY, and ours as fallback', async () => {
    const databaseUrl = app.config.databaseUrl ?? '';
    const newer = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('hex') };
    const other = await startApp({ databaseUrl, env: { ...newer, KEY_ENCRYPTION_KEY_FALLBACK: KEY_ENCRYPTION_KEY } });
    try {
      const first = await signIn(app, { clientId });
      const second = await refresh(first.refresh_token);
      const form = refreshForm(app, first.refresh_token, { client_id: clientId });
      const { status, body } = await postForm(other, '/oauth2/token', form);
      expect([status, (body as Partial<Tokens>).refresh_token]).toEqual([200, second.refresh_token]);
      const third = await postForm(
        other,
        '/oauth2/token',
        refreshForm(app, second.refresh_token ?? '', { client_id: clientId }),
      );
      // this process can not derive the successor that the other one made: it refuses, and takes it for no theft
      expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect((await refresh((third.body as Partial<Tokens>).refresh_token)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('does not prolong the family', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    app.advance(10);
    const retried = await refresh(first.refresh_token);
    app.resetClock();
    expect(Number(retried.refresh_token_expires_in)).toBeLessThanOrEqual(Number(second.refresh_token_expires_in) - 10);
  });

  it('counts from the first use and never slides: after it, a retry is a reuse, however recent the last retry', async () => {
    const clock = freezeClock(app);
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    for (const seconds of [10, 9]) {
      clock.pass(seconds);
      expect((await refresh(first.refresh_token)).status).toBe(200);
    }
    clock.pass(1);
    await expectDead(first.refresh_token, second.refresh_token);
    clock.release();
    expect((await callFan(app, '/tickets', second.access_token)).status).toBe(401);
  });

  it('is for the immediate predecessor only: an older token is a reuse', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    await expectDead(first.refresh_token, second.refresh_token, third.refresh_token);
  });

  it('is for the same client only: in the hands of another it does nothing', async () => {
    const stranger = await makeClient(app, { refreshRetryWindow: WINDOW });
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    expect(await refresh(first.refresh_token, { client_id: stranger })).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('may narrow the scope; one that is too wide is invalid_scope and ends nothing', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    expect(await refresh(first.refresh_token, { scope: 'fan:tickets:read' })).toMatchObject({
      status: 200,
      granted_actions: ['fan:tickets:read'],
      refresh_token: second.refresh_token,
    });
    expect(await refresh(first.refresh_token, { scope: 'fan:cart:read' })).toMatchObject({ error: 'invalid_scope' });
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('ends with the grant: a revoked one is not refreshed by a retry', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    await postForm(app, '/oauth2/revoke', { client_id: clientId, token: second.refresh_token ?? '' });
    await expectDead(first.refresh_token, second.refresh_token);
  });

  it('can be switched off again, with effect at once', async () => {
    const own = await makeClient(app, { refreshRetryWindow: WINDOW });
    const first = await signIn(app, { clientId: own });
    const second = await refresh(first.refresh_token, { client_id: own });
    await changeClient(app, own, { refreshRetryWindow: 0 });
    expect(await refresh(first.refresh_token, { client_id: own })).toMatchObject({ error: 'invalid_grant' });
    expect(await refresh(second.refresh_token, { client_id: own })).toMatchObject({ error: 'invalid_grant' });
  });
});
