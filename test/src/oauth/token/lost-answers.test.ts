import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { AuthorizationCode } from '../../../../src/entities/authorization-code.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { RefreshTokenFamily } from '../../../../src/entities/refresh-token-family.ts';
import { hashOf } from '../../../../src/platform/identifier/secret-value.ts';
import { verified } from '../../../adapters/fan-pages/login/login-calls.ts';
import { testDatabase } from '../../../support/database.ts';
import { makeClient } from '../../../support/make-client.ts';
import * as partner from '../../../support/partner.ts';
import { authorizeUrl, callFan, callLogin, login, obtainCode, postForm, signIn } from '../../../support/partner.ts';
import { refusedBy } from '../../../support/refused.ts';
import { startBeside } from '../../../support/start-beside.ts';
import { type CutPoint, openStatementWire } from '../../../support/statement-wire.ts';

/** D-226: what we caused, we don't punish. Two processes over one database: `app` loses its `wire` to it, `another` has one of its own. */
const database = await testDatabase();
const wire = await openStatementWire(database);
const [app, another] = [await startBeside(wire.url), await startBeside(database)];
const { lookForWorkMs } = app.runtime.config;
async function mend(): Promise<void> {
  app.runtime.config.lookForWorkMs = lookForWorkMs;
  await wire.mend();
}
beforeEach(mend);
afterAll(async () => {
  await another.stop();
  await app.stop();
  await wire.close();
});

/** `app` soon gives up to look for what became of a call. */
function giveUpSoon(): void {
  app.runtime.config.lookForWorkMs = 200;
}

/** Cuts the wire at the answer to a statement, until `mend`. */
function cutOff(statement = 1): void {
  giveUpSoon();
  wire.cutAt(statement, 'answer', true);
}

/** Runs `work` while the database can not be reached. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  giveUpSoon();
  await wire.close();
  try {
    await work();
  } finally {
    await mend();
  }
}

type Started = partner.Started;
type Tokens = partner.Tokens;
const INVALID_GRANT = refusedBy('invalid_grant');
const SPENT = refusedBy('invalid_request', 'code has been used already');
const POINTS: CutPoint[] = ['request', 'answer'];
/** Two seconds, on a busy machine too: by then every process has written its part of the request log. */
const AT_ONCE_MS = 4_500;

type Obtained = Started & { code: string };
const refresh = (token: string, at = app, changes: Record<string, string> = {}) => partner.refresh(at, token, changes);
const exchange = (obtained: Obtained, at = app) => partner.exchange(at, obtained);

async function expectAlive(tokens: Tokens): Promise<void> {
  expect((await callFan(another, '/tickets', tokens.access_token)).status).toBe(200);
  expect((await refresh(tokens.refresh_token, another)).status).toBe(200);
}

async function expectDead(...tokens: Tokens[]): Promise<void> {
  for (const { refresh_token } of tokens) expect(await refresh(refresh_token, another)).toMatchObject(INVALID_GRANT);
}

/** A refresh token whose rotation `app` has made without knowing it: it is cut off, and stays so. */
async function inDoubt(): Promise<Tokens> {
  const tokens = await signIn(app);
  cutOff();
  const unknown = await refresh(tokens.refresh_token);
  expect(unknown).toMatchObject({ status: 503, error: 'temporarily_unavailable' });
  expect(Number(unknown.headers.get('retry-after'))).toBeGreaterThan(0);
  return tokens;
}

/** Makes ready for a call that gives tokens. */
type Begin = () => Promise<() => Promise<partner.TokenAnswer>>;
const CALLS: [name: string, begin: Begin, statement: string][] = [
  [
    'a refresh',
    async () => {
      const { refresh_token } = await signIn(app);
      return () => refresh(refresh_token);
    },
    'update refresh_token_family',
  ],
  [
    'a code exchange',
    async () => {
      const obtained = await obtainCode(app);
      return () => exchange(obtained);
    },
    'update authorization_code',
  ],
];

describe.each(CALLS)('D-226 %s whose answer from the database is lost', (_, begin, statement) => {
  it.each(POINTS)('finds out within the call, at whichever statement the %s is lost', async (point) => {
    const statements = await wire.sweep(point, async () => ({
      call: await begin(),
      async check(tokens, where) {
        expect(tokens.status, where).toBe(200);
        await expectAlive(tokens);
      },
    }));
    expect(statements.filter((text) => text.includes(statement))).toHaveLength(1);
  });

  it.each(POINTS)('finds out too where its statement was shared with others and the %s is lost', async (point) => {
    const calls = await Promise.all(Array.from({ length: 8 }, begin));
    // the first is on its way by itself
    wire.cutAt(2, point);
    const answers = await Promise.all(calls.map((call) => call()));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    for (const tokens of answers) await expectAlive(tokens);
  });
});

describe('D-226 a refresh whose answer from the database is lost', () => {
  it.each([
    ['the same process, once it is mended', mend, () => app],
    ['another process, at once, while the first is still cut off', async () => undefined, () => another],
  ])('that stays unknown is 503, and its repeat is answered once, by %s', async (_, before, repeatAt) => {
    const tokens = await inDoubt();
    await before();
    const begin = performance.now();
    const repeated = await refresh(tokens.refresh_token, repeatAt());
    expect(repeated.status).toBe(200);
    expect(performance.now() - begin).toBeLessThan(AT_ONCE_MS);
    await mend();
    await expectAlive(repeated);
    expect(await refresh(tokens.refresh_token, repeatAt())).toMatchObject(INVALID_GRANT);
    await expectDead(repeated);
  });

  it('is a reuse after a minute', async () => {
    const tokens = await inDoubt();
    await mend();
    another.advance(61);
    expect(await refresh(tokens.refresh_token, another)).toMatchObject(INVALID_GRANT);
    another.resetClock();
    const reuses = { subject: tokens.grant_id, action: 'refresh_token.reused' };
    expect(await another.context().em.count(AuditEntry, reuses)).toBe(1);
  });

  it('may lose the answer to the repeat too', async () => {
    const tokens = await inDoubt();
    await mend();
    await refresh('rt_none');
    cutOff(3);
    expect((await refresh(tokens.refresh_token)).status).toBe(503);
    await mend();
    const repeated = await refresh(tokens.refresh_token);
    expect(repeated.status).toBe(200);
    await expectAlive(repeated);
  });

  it('gives every sender of the token the same successor: the second use of that one is a reuse', async () => {
    const tokens = await inDoubt();
    await mend();
    const thief = await refresh(tokens.refresh_token, another);
    expect((await refresh(thief.refresh_token, another)).status).toBe(200);
    expect(await refresh(tokens.refresh_token)).toMatchObject(INVALID_GRANT);
    await expectDead(thief);
  });

  it('is for its client only, and not for an older token', async () => {
    const first = await signIn(app);
    const second = await refresh(first.refresh_token);
    cutOff();
    await refresh(second.refresh_token);
    await mend();
    const stranger = await makeClient(another);
    const foreign = await refresh(second.refresh_token, another, { client_id: stranger });
    expect(foreign.error).toBe('invalid_grant');
    expect((await refresh(first.refresh_token, another)).error).toBe('invalid_grant');
    await expectDead(second);
  });

  it('with a wider scope is invalid_scope, and can be repeated with the right one', async () => {
    const tokens = await inDoubt();
    await mend();
    expect(await refresh(tokens.refresh_token, app, { scope: 'fan:cart:read' })).toMatchObject({
      error: 'invalid_scope',
    });
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('changes nothing for a reuse without a lost answer: another process reads the log, and ends the grant', async () => {
    const tokens = await signIn(app);
    const refreshed = await refresh(tokens.refresh_token);
    const before = performance.now();
    expect(await refresh(tokens.refresh_token, another)).toMatchObject(INVALID_GRANT);
    expect(performance.now() - before).toBeLessThan(AT_ONCE_MS);
    await expectDead(refreshed);
    const reuses = { subject: tokens.grant_id, action: 'refresh_token.reused' };
    expect(await another.context().em.count(AuditEntry, reuses)).toBe(1);
  });
});

describe('D-226 a code exchange whose answer from the database is lost', () => {
  it.each([
    ['the same process', () => app],
    ['another process', () => another],
  ])('that stays unknown has spent the code: %s refuses a second use, and the grant lives', async (_, repeatAt) => {
    const obtained = await obtainCode(app);
    cutOff();
    expect((await exchange(obtained)).status).toBe(503);
    await mend();
    expect(await exchange(obtained, repeatAt())).toMatchObject(SPENT);
    const { em } = another.context();
    const { grant } = await em.findOneOrFail(AuthorizationCode, { hash: hashOf(obtained.code) });
    expect(await em.findOneOrFail(ConsentGrant, { id: grant.id })).toMatchObject({ revokedAt: null });
    expect(await em.count(RefreshTokenFamily, { grant: grant.id })).toBe(1);
  });

  it('changes nothing for a second use without a lost answer: another process reads the log, and ends the grant', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    const before = performance.now();
    expect(await exchange(obtained, another)).toMatchObject(SPENT);
    expect(performance.now() - before).toBeLessThan(AT_ONCE_MS);
    await expectDead(tokens);
  });
});

const EVERYTHING = {
  actions: ['fan:tickets:read', 'fan:listings:write'],
  mode: 'all_current_future',
  ticketIds: [] as string[],
};
const READ = { ...EVERYTHING, actions: ['fan:tickets:read'] };

const grant = (started: Started, choice = EVERYTHING, at = app) => callLogin(at, started, 'consent.grant', choice);
const grantsGiven = () => another.context().em.count(ConsentGrant);
const givenInAudit = () => another.context().em.count(AuditEntry, { action: 'grant.given' });

/** The tokens for the code in an answer, without retry. */
async function tokensFor(started: Started, { data }: Awaited<ReturnType<typeof grant>>) {
  const code = new URL(String(data?.redirectTo)).searchParams.get('code') ?? '';
  return exchange({ ...started, code }, another);
}

/** The number of the statement that records a consent. */
async function recordOf(): Promise<number> {
  const statements = await wire.sweep('answer', async () => {
    const started = await verified(app);
    return { call: () => grant(started), check: async () => {} };
  });
  const at = statements.findIndex((text) => text.includes('insert into consent_grant'));
  expect(at).toBeGreaterThan(0);
  return at + 1;
}

describe('D-226 a consent whose answer from the database is lost', async () => {
  const record = await recordOf();

  it.each(
    POINTS.flatMap((point) => [
      { point, mode: 'all_current_future', least: 2 },
      { point, mode: 'selected', least: 6 },
    ]),
  )(
    'at whichever statement the $point is lost, leaves one grant ($mode), recorded once, and a code that is good',
    async ({ point, mode, least }) => {
      const statements = await wire.sweep(point, async () => {
        const started = await verified(app);
        const before = await grantsGiven();
        const auditedBefore = await givenInAudit();
        const offer = await login<{ tickets: { id: string }[] }>(app, started, 'consent.options');
        const ticketIds = mode === 'selected' ? offer.tickets.slice(0, 2).map(({ id }) => id) : [];
        const choice = { ...EVERYTHING, mode, ticketIds };
        return {
          call: () => grant(started, choice),
          async check(first, where) {
            expect([200, 503], where).toContain(first.status);
            const answer = first.status === 503 ? await grant(started, choice) : first;
            expect((await tokensFor(started, answer)).status, where).toBe(200);
            expect((await grantsGiven()) - before, where).toBe(1);
            expect((await givenInAudit()) - auditedBefore, where).toBe(1);
          },
        };
      });
      expect(statements.length).toBeGreaterThanOrEqual(least);
    },
  );

  it.each([
    ['the same process', () => app],
    ['another process', () => another],
  ])('that stays unknown is repeated by %s: the last choice holds, in the one grant', async (_, repeatAt) => {
    const started = await verified(app);
    const before = await grantsGiven();
    const auditedBefore = await givenInAudit();
    cutOff(record);
    expect((await grant(started)).status).toBe(503);
    expect((await grantsGiven()) - before).toBe(1);
    await mend();
    const repeated = await grant(started, READ, repeatAt());
    expect(await tokensFor(started, repeated)).toMatchObject({ status: 200, granted_actions: READ.actions });
    // another choice is recorded too
    expect((await givenInAudit()) - auditedBefore).toBe(2);
    expect((await grantsGiven()) - before).toBe(1);
    expect((await grant(started, EVERYTHING, repeatAt())).error?.data.reason).toBe('wrong_step');
  });

  it('is recorded once where the repeat makes the same choice', async () => {
    const started = await verified(app);
    const before = await givenInAudit();
    cutOff(record);
    expect((await grant(started)).status).toBe(503);
    await mend();
    expect((await grant(started)).status).toBe(200);
    expect((await givenInAudit()) - before).toBe(1);
  });

  it('is not repeated where the answer was not lost: the code stays the one that was given', async () => {
    const started = await verified(app);
    const given = await grant(started);
    expect((await grant(started, READ, another)).error?.data.reason).toBe('wrong_step');
    expect((await tokensFor(started, given)).status).toBe(200);
  });

  it.each(POINTS)('and a refusal, at whichever statement the %s is lost', async (point) => {
    await wire.sweep(point, async () => {
      const started = await verified(app);
      const deny = () => callLogin(app, started, 'consent.deny');
      return {
        call: deny,
        async check(first, where) {
          const answer = first.status === 503 ? await deny() : first;
          expect(String(answer.data?.redirectTo), where).toContain('error=access_denied');
        },
      };
    });
  });
});

describe('status: 503 when the database is away', () => {
  it('token, revocation and userinfo say so in the terms of OAuth, with Retry-After', async () => {
    const [tokens, obtained] = [await signIn(app), await obtainCode(app)];
    const code = partner.codeForm(obtained);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    await whileDown(async () => {
      for (const answer of [
        await postForm(app, '/oauth2/token', code),
        await postForm(app, '/oauth2/token', partner.refreshForm(app, tokens.refresh_token)),
        await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token }),
        await postForm(app, '/oauth2/userinfo', {}, headers),
      ]) {
        expect(answer.status).toBe(503);
        expect(answer.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      }
    });
    expect((await exchange(obtained)).status, 'the code was not spent').toBe(200);
    expect((await refresh(tokens.refresh_token)).status, 'the refresh token was not rotated').toBe(200);
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

  it('discovery and JWKS are answered from memory, so that others can go on verifying tokens', async () => {
    await whileDown(async () => {
      for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
        expect((await fetch(`${app.config.authUrl}${path}`)).status, path).toBe(200);
      }
    });
  });
});
