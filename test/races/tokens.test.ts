import { describe, expect, it, vi } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { RefreshTokenFamily } from '../../src/entities/refresh-token-family.ts';
import { verified } from '../adapters/fan-pages/login/login-calls.ts';
import { makeClient } from '../support/make-client.ts';
import {
  callFan,
  callLogin,
  exchange,
  obtainCode,
  postForm,
  refresh,
  signIn,
  type TokenAnswer,
  type Tokens,
} from '../support/partner.ts';
import { atOnce, testTwoProcesses } from './two-processes.ts';

const ROUNDS = 4;
const CALLERS = 10;
const both = await testTwoProcesses();
// some hundred requests each
vi.setConfig({ testTimeout: 60_000 });

const won = (answers: TokenAnswer[]) => answers.filter(({ status }) => status === 200);
const refused = (answers: TokenAnswer[]) =>
  answers.filter(({ status }) => status !== 200).map(({ status, error }) => [status, error]);

async function expectDead(tokens: Tokens): Promise<void> {
  for (const app of [both.one, both.two]) {
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
    expect((await refresh(app, tokens.refresh_token)).error).toBe('invalid_grant');
  }
}

/** Of many that are used at the same instant one is used twice: it is refused, and its tokens are dead; the others' are good. */
async function expectOneSpent<Each>(all: Each[], use: (each: Each) => Promise<TokenAnswer>) {
  const answers = await Promise.all([...all, ...all.slice(5, 6)].map(use));
  const alive = await Promise.all(
    won(answers).map(async (tokens) => (await callFan(both.two, '/tickets', tokens.access_token)).status),
  );
  expect(alive.toSorted()).toEqual([...Array(all.length - 1).fill(200), 401]);
  return refused(answers);
}

describe('code lifetime: single use, by ten callers at the same instant', () => {
  it('exactly one gets tokens, which the second use then revokes', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const obtained = await obtainCode(both.one);
      const answers = await atOnce(both, CALLERS, (app) => exchange(app, obtained));
      const [tokens, ...more] = won(answers);
      expect(more).toEqual([]);
      if (!tokens) throw new Error('nobody got tokens');
      expect(refused(answers)).toEqual(Array(CALLERS - 1).fill([400, 'invalid_request']));
      await expectDead(tokens);
      const { em } = both.one.context();
      expect(await em.count(RefreshTokenFamily, { grant: tokens.grant_id })).toBe(1);
      expect(await em.count(AuditEntry, { subject: tokens.grant_id, action: 'grant.revoked' })).toBe(1);
    }
  });

  it('among the codes of others: theirs are exchanged as ever', async () => {
    const obtained = await Promise.all(Array.from({ length: 12 }, () => obtainCode(both.one)));
    expect(await expectOneSpent(obtained, (each) => exchange(both.one, each))).toEqual([[400, 'invalid_request']]);
  });

  it('with the right verifier and a wrong one, one spends it: nobody gets tokens that live', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const obtained = await obtainCode(both.two);
      let turn = 0;
      const answers = await atOnce(both, 4, (app) =>
        exchange(app, obtained, turn++ % 2 === 0 ? {} : { code_verifier: 'v'.repeat(43) }),
      );
      expect(won(answers).length).toBeLessThanOrEqual(1);
      for (const tokens of won(answers)) await expectDead(tokens);
    }
  });
});

describe('spec §5.10: one refresh token, by ten callers at the same instant', () => {
  it('without a retry window at most one succeeds, and the family and its grant are revoked', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await signIn(both.one);
      const answers = await atOnce(both, CALLERS, (app) => refresh(app, first.refresh_token));
      expect(won(answers).length).toBeLessThanOrEqual(1);
      for (const answer of refused(answers)) expect(answer).toEqual([400, 'invalid_grant']);
      for (const tokens of [first, ...won(answers)]) await expectDead(tokens);
      const { em } = both.one.context();
      expect(await em.count(AuditEntry, { subject: first.grant_id, action: 'refresh_token.reused' })).toBe(1);
      expect(await em.count(AuditEntry, { subject: first.grant_id, action: 'grant.revoked' })).toBe(1);
    }
  });

  it('among the tokens of others: theirs are rotated as ever', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => signIn(both.one)));
    const refusals = await expectOneSpent(all, ({ refresh_token }) => refresh(both.one, refresh_token));
    expect(refusals).toEqual([[400, 'invalid_grant']]);
  });

  it('with a retry window all get the same successor: one chain', async () => {
    const clientId = await makeClient(both.one, { refreshRetryWindow: 20 });
    let { refresh_token: token } = await signIn(both.one, { clientId });
    for (let round = 0; round < ROUNDS; round += 1) {
      const presented = token;
      const answers = await atOnce(both, CALLERS, (app) => refresh(app, presented, { client_id: clientId }));
      expect(refused(answers)).toEqual([]);
      const successors = new Set(won(answers).map((tokens) => tokens.refresh_token));
      expect(successors.size).toBe(1);
      expect(new Set(won(answers).map((tokens) => tokens.access_token)).size).toBe(CALLERS);
      token = [...successors][0] ?? '';
    }
  });

  it('a refresh beside a revocation: whatever the order, nothing lives after', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await signIn(both.one);
      const { client_id } = both.one.kit;
      const [refreshed] = await Promise.all([
        refresh(both.one, first.refresh_token),
        postForm(both.two, '/oauth2/revoke', { client_id, token: first.refresh_token }),
      ]);
      for (const tokens of [first, ...won([refreshed])]) await expectDead(tokens);
    }
  });
});

describe('consent given at the same instant', () => {
  const choice = { actions: ['fan:tickets:read'], mode: 'all_current_future', ticketIds: [] };

  it('ten times: one code, one grant', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = await verified(both.one);
      const before = await grantsGiven();
      const answers = await atOnce(both, CALLERS, (app) => callLogin(app, started, 'consent.grant', choice));
      const codes = answers.flatMap(({ data }) => (data ? [String(data.redirectTo)] : []));
      expect(codes).toHaveLength(1);
      expect(answers.flatMap(({ error }) => error?.data.reason ?? [])).toEqual(Array(CALLERS - 1).fill('wrong_step'));
      expect((await grantsGiven()) - before).toBe(1);
    }
  });

  it('and refused: one answer stands', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = await verified(both.one);
      const answers = await Promise.all([
        callLogin(both.one, started, 'consent.grant', choice),
        callLogin(both.two, started, 'consent.deny'),
      ]);
      expect(answers.filter(({ data }) => data !== undefined)).toHaveLength(1);
    }
  });

  const grantsGiven = () => both.one.context().em.count(AuditEntry, { action: 'grant.given' });
});
