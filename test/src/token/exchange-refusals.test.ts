import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import {
  callFan,
  codeForm,
  obtainCode,
  postForm,
  refreshForm,
  type Started,
  signIn,
  type Tokens,
} from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

type Obtained = Started & { code: string };

async function exchange(obtained: Obtained, changes: Record<string, string | undefined> = {}) {
  const { status, body, headers } = await postForm(app, '/oauth2/token', codeForm(obtained, changes));
  return { status, headers, ...(body as { error?: string; error_description?: string } & Partial<Tokens>) };
}

async function expectAlive(tokens: Partial<Tokens>): Promise<void> {
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
}

async function expectRevoked(tokens: Partial<Tokens>): Promise<void> {
  const { status, headers } = await callFan(app, '/tickets', tokens.access_token);
  expect([status, headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
  const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token ?? ''));
  expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
}

describe('spec §5.8: every field is required', () => {
  it.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'])(
    'without %s: invalid_request naming it, and the code can still be used',
    async (field) => {
      const obtained = await obtainCode(app);
      for (const value of [undefined, '']) {
        const { status, error, error_description } = await exchange(obtained, { [field]: value });
        expect([status, error, error_description]).toEqual([400, 'invalid_request', `${field} is required`]);
      }
      expect((await exchange(obtained)).status).toBe(200);
    },
  );
});

it.each(['grant_type', 'client_id', 'code', 'redirect_uri'])(
  'a NUL in %s, which the database can not hold: invalid_request naming it, and the code can still be used',
  async (field) => {
    const obtained = await obtainCode(app);
    const { status, error, error_description } = await exchange(obtained, {
      [field]: `${codeForm(obtained)[field]}\0`,
    });
    expect([status, error, error_description]).toEqual([400, 'invalid_request', `${field} must have no NUL`]);
    expect((await exchange(obtained)).status).toBe(200);
  },
);

describe('spec §7: invalid_request for a wrong client_id, redirect_uri, code or code_verifier', () => {
  it.each([
    ['a verifier that does not match', { code_verifier: 'v'.repeat(43) }, 'Invalid PKCE code_verifier'],
    ['a verifier of 42 characters (§5.5)', { code_verifier: 'v'.repeat(42) }, 'Invalid PKCE code_verifier'],
    ['a verifier of 129 characters (§5.5)', { code_verifier: 'v'.repeat(129) }, 'Invalid PKCE code_verifier'],
    [
      'a verifier with a forbidden character (§5.5)',
      { code_verifier: `${'v'.repeat(43)}!` },
      'Invalid PKCE code_verifier',
    ],
    ['a verifier with a NUL (§5.5)', { code_verifier: `${'v'.repeat(43)}\0` }, 'Invalid PKCE code_verifier'],
    [
      'another redirect URI of the client',
      { redirect_uri: 'http://127.0.0.1:4000/callback' },
      /^redirect_uri does not/,
    ],
    ['the redirect URI with a slash', { redirect_uri: 'http://localhost:4000/callback/' }, /^redirect_uri does not/],
  ])('%s; the code is spent by it', async (_, changes, description) => {
    const obtained = await obtainCode(app);
    const refused = await exchange(obtained, changes);
    expect([refused.status, refused.error]).toEqual([400, 'invalid_request']);
    if (typeof description === 'string') expect(refused.error_description).toBe(description);
    else expect(refused.error_description).toMatch(description);
    const again = await exchange(obtained);
    expect([again.status, again.error_description]).toEqual([400, 'code has been used already']);
  });

  it('spec §5.5: a malformed verifier is none, also where its hash is the challenge; no token family is begun', async () => {
    const obtained = await obtainCode(app, { verifier: 'v'.repeat(42) });
    const families = () => app.context().em.execute('select count(*)::int as count from refresh_token_family');
    const before = await families();
    const refused = await exchange(obtained);
    expect([refused.status, refused.error, refused.error_description]).toEqual([
      400,
      'invalid_request',
      'Invalid PKCE code_verifier',
    ]);
    expect(await families()).toEqual(before);
  });

  it.each([
    ['unknown', `ac_${'A'.repeat(43)}`],
    ['no code', 'x'],
    ['10 kB', 'c'.repeat(10_000)],
  ])('a code that is %s', async (_, code) => {
    const { status, error, error_description } = await exchange(await obtainCode(app), { code });
    expect([status, error, error_description]).toEqual([400, 'invalid_request', 'code is invalid or expired']);
  });

  it.each(['nobody', 'client_00000000000000000000000000', 'c'.repeat(10_000)])(
    'an unknown client_id (%j); the code is not spent',
    async (clientId) => {
      const obtained = await obtainCode(app);
      const { status, error, error_description } = await exchange(obtained, { client_id: clientId });
      expect([status, error, error_description?.slice(0, 9)]).toEqual([400, 'invalid_request', 'client_id']);
      expect((await exchange(obtained)).status).toBe(200);
    },
  );

  it("another client's code; it is not spent, so that a stranger can not spoil a sign-in", async () => {
    const obtained = await obtainCode(app);
    const { status, error, error_description } = await exchange(obtained, { client_id: await makeClient(app) });
    expect([status, error, error_description]).toEqual([
      400,
      'invalid_request',
      'client_id does not match the authorize request',
    ]);
    expect((await exchange(obtained)).status).toBe(200);
  });

  it('the answer is an error of RFC 6749 §5.2 and nothing more, and is not stored', async () => {
    const { status, headers, body } = await postForm(
      app,
      '/oauth2/token',
      codeForm(await obtainCode(app), { code: 'x' }),
    );
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });
});

describe('D-027 code lifetime: 60 seconds', () => {
  it('a code is good in its 59th second', async () => {
    const clock = freezeClock(app);
    const obtained = await obtainCode(app);
    clock.pass(59);
    const { status } = await exchange(obtained);
    clock.release();
    expect(status).toBe(200);
  });

  it('and not in its 61st', async () => {
    const clock = freezeClock(app);
    const obtained = await obtainCode(app);
    clock.pass(60);
    const { status, error, error_description } = await exchange(obtained);
    clock.release();
    expect([status, error, error_description]).toEqual([400, 'invalid_request', 'code is invalid or expired']);
  });
});

describe('D-027 code lifetime: a second use revokes all tokens of the code', () => {
  it('access and refresh token are dead at once, and the audit log says why', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    await expectAlive(tokens);
    const again = await exchange(obtained);
    expect([again.status, again.error, again.error_description]).toEqual([
      400,
      'invalid_request',
      'code has been used already',
    ]);
    await expectRevoked(tokens);
    const [entry] = await app
      .context()
      .em.find(AuditEntry, { subject: tokens.grant_id ?? '', action: 'grant.revoked' });
    expect(entry).toMatchObject({ actor: `client:${app.kit.client_id}`, details: { reason: 'code_reuse' } });
  });

  it('tokens that were refreshed meanwhile are dead too', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token ?? ''));
    await exchange(obtained);
    await expectRevoked(refreshed.body as unknown as Tokens);
  });

  it('also with a wrong verifier, and after the code has expired', async () => {
    const wrong = await obtainCode(app);
    const first = await exchange(wrong);
    await exchange(wrong, { code_verifier: 'v'.repeat(43) });
    await expectRevoked(first);
    const late = await obtainCode(app);
    const second = await exchange(late);
    app.advance(61);
    await exchange(late);
    app.resetClock();
    await expectRevoked(second);
  });

  it('but a used code in the hands of another client ends nothing', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    const { status } = await exchange(obtained, { client_id: await makeClient(app) });
    expect(status).toBe(400);
    await expectAlive(tokens);
  });

  it('and another grant of the same fan to the same client lives on', async () => {
    const other = await signIn(app);
    const obtained = await obtainCode(app);
    await exchange(obtained);
    await exchange(obtained);
    await expectAlive(other);
  });
});

describe('D-026 client not enabled / suspended', () => {
  it('a client suspended after consent gets no tokens for its code, nor for its refresh token', async () => {
    const clientId = await makeClient(app);
    const obtained = await obtainCode(app, { clientId });
    const tokens = await signIn(app, { clientId });
    await changeClient(app, clientId, { status: 'suspended' });
    expect(await exchange(obtained)).toMatchObject({ status: 400, error: 'invalid_request' });
    const form = refreshForm(app, tokens.refresh_token, { client_id: clientId });
    expect((await postForm(app, '/oauth2/token', form)).body.error).toBe('invalid_grant');
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
  });
});
