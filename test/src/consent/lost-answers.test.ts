import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { startCutProcess } from '../../support/cut-process.ts';
import { authorize, callLogin, codeForm, login, postForm, type Started, verifyPhone } from '../../support/partner.ts';
import type { CutPoint } from '../../support/statement-wire.ts';

/** D-226: what became of a consent whose answer was lost. */
const { wire, app, another } = await startCutProcess();

const POINTS: CutPoint[] = ['request', 'answer'];
const ALL = {
  actions: ['fan:tickets:read', 'fan:listings:write'],
  mode: 'all_current_future',
  ticketIds: [] as string[],
};
const READ = { ...ALL, actions: ['fan:tickets:read'] };

async function atConsent(): Promise<Started> {
  const started = await authorize(app);
  await verifyPhone(app, started);
  return started;
}

const grant = (started: Started, choice = ALL, at = app) => callLogin(at, started, 'consent.grant', choice);
const grantsGiven = () => another.context().em.count(ConsentGrant);
const givenInAudit = () => another.context().em.count(AuditEntry, { action: 'grant.given' });

/** The tokens for the code in an answer, without retry. */
async function tokensFor(started: Started, { data }: Awaited<ReturnType<typeof grant>>) {
  const code = new URL(String(data?.redirectTo)).searchParams.get('code') ?? '';
  return postForm(another, '/oauth2/token', codeForm({ ...started, code }));
}

/** The number of the statement that records a consent. */
async function recordOf(): Promise<number> {
  const statements = await wire.sweep('answer', async () => {
    const started = await atConsent();
    return { call: () => grant(started), check: async () => {} };
  });
  const at = statements.findIndex((text) => text.includes('insert into consent_grant'));
  expect(at).toBeGreaterThan(0);
  return at + 1;
}

describe('D-226 a consent whose answer from the database is lost', () => {
  it.each(
    POINTS.flatMap((point) => [
      { point, mode: 'all_current_future', least: 2 },
      { point, mode: 'selected', least: 6 },
    ]),
  )(
    'at whichever statement the $point is lost, leaves one grant ($mode), recorded once, and a code that is good',
    async ({ point, mode, least }) => {
      const statements = await wire.sweep(point, async () => {
        const started = await atConsent();
        const before = await grantsGiven();
        const auditedBefore = await givenInAudit();
        const offer = await login<{ tickets: { id: string }[] }>(app, started, 'consent.options');
        const ticketIds = mode === 'selected' ? offer.tickets.slice(0, 2).map(({ id }) => id) : [];
        const choice = { ...ALL, mode, ticketIds };
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
    const record = await recordOf();
    const started = await atConsent();
    const before = await grantsGiven();
    const auditedBefore = await givenInAudit();
    wire.cutAt(record, 'answer', true);
    expect((await grant(started)).status).toBe(503);
    expect((await grantsGiven()) - before).toBe(1);
    await wire.mend();
    const repeated = await grant(started, READ, repeatAt());
    const { status, body } = await tokensFor(started, repeated);
    expect([repeated.status, status, body.granted_actions]).toEqual([200, 200, READ.actions]);
    // another choice is recorded too
    expect((await givenInAudit()) - auditedBefore).toBe(2);
    expect((await grantsGiven()) - before).toBe(1);
    expect((await grant(started, ALL, repeatAt())).error?.data.reason).toBe('wrong_step');
  });

  it('is recorded once where the repeat makes the same choice', async () => {
    const record = await recordOf();
    const started = await atConsent();
    const before = await givenInAudit();
    wire.cutAt(record, 'answer', true);
    expect((await grant(started)).status).toBe(503);
    await wire.mend();
    expect((await grant(started)).status).toBe(200);
    expect((await givenInAudit()) - before).toBe(1);
  });

  it('is not repeated where the answer was not lost: the code stays the one that was given', async () => {
    const started = await atConsent();
    const given = await grant(started);
    expect((await grant(started, READ, another)).error?.data.reason).toBe('wrong_step');
    expect((await tokensFor(started, given)).status).toBe(200);
  });

  it.each(POINTS)('and a refusal, at whichever statement the %s is lost', async (point) => {
    await wire.sweep(point, async () => {
      const started = await atConsent();
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
