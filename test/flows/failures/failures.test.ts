/** Each failure of the page `failures.md` is brought about from outside, by what the page says, and is seen as it says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { VersionedTransaction } from '@solana/web3.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { FAILURES, type Failure } from '../../../src/entities/simulation.ts';
import { oneTicket } from '../../support/chain-app.ts';
import { chainStage } from '../../support/chain-stage.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import {
  authorize,
  authorizeUrl,
  callFan,
  callLogin,
  codeForm,
  obtainCode,
  postForm,
  refreshForm,
  signIn,
  type Tokens,
} from '../../support/partner.ts';
import { listing, onChain, postFan, putOnSale, transfer } from '../../support/ticket-transactions.ts';
import { documentedFailures, sandboxOf } from './sandbox.ts';

const { app, market, seller, buyer, nextListed } = await chainStage();
const SLOT_MS = 400;
const SCOPE = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';
const sandbox = await sandboxOf(app, app.kit.client_id);
const onSale = await nextListed();
afterEach(() => sandbox.end());

const fresh = (user = seller): Promise<Tokens> => signIn(app, { scope: SCOPE, phone: user.phone, code: user.code });

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** As the table says it: status and stable code. */
function seen({ status, headers, body }: Answer): string {
  return `${status} ${headers.get('x-error-code') ?? String(body.error)}`;
}

const lostAnswer = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'an answer',
    (error: Error) => (error.message === 'fetch failed' ? 'connection closed' : String(error)),
  );

const exchange = async () => postForm(app, '/oauth2/token', codeForm(await obtainCode(app, { scope: SCOPE })));
const refresh = (tokens: Tokens) => postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
const tickets = (tokens: Tokens) => callFan(app, '/tickets', tokens.access_token);

async function jwksHas(kid: string | undefined): Promise<boolean> {
  const answer = await fetch(`${app.config.authUrl}/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.some((key) => key.kid === kid);
}

async function list(tokens: Tokens): Promise<Answer> {
  const ticket = await oneTicket(app, seller);
  const bytes = await listing(app, market, ticket, seller.wallet_address);
  return postFan(app, '/authorizations', tokens.access_token, { type: 'list', transactions: [bytes.toString('hex')] });
}

const claimOf = (bytes: Buffer) => ({ tickets: [{ tx: bytes.toString('hex') }] });
const claimBody = async () => claimOf(await transfer(app, market, onSale, buyer.wallet_address));

/** How far a token was made from now, to five seconds. */
function skewOf(token: string): string {
  const skew = (decodeJwt(token).iat ?? 0) - Date.now() / 1000;
  const near = Math.round(skew / 5) * 5;
  return `iat ${near > 0 ? '+' : ''}${near}`;
}

/** Brings a failure about for a fan who is signed in, and handles it as the page says. @returns what was seen */
const ROWS: Record<Failure, (tokens: Tokens) => Promise<string>> = {
  async consent_refused() {
    await sandbox.arm('consent_refused');
    const { url, state } = await authorizeUrl(app);
    const answer = await fetch(url, { redirect: 'manual' });
    const callback = new URL(answer.headers.get('location') ?? '');
    expect(callback.href).toContain(url.searchParams.get('redirect_uri'));
    expect(callback.searchParams.get('state')).toBe(state);
    expect(await fresh()).toBeDefined();
    return `callback ${callback.searchParams.get('error')}`;
  },
  async session_lost() {
    await sandbox.arm('session_lost');
    const { error } = await callLogin(app, await authorize(app), 'session.get');
    expect(await fresh()).toBeDefined();
    return `no callback ${error?.data.reason}`;
  },
  async code_expired() {
    await sandbox.arm('code_expired');
    const answer = await exchange();
    expect(answer.body.error_description).toBe('code is invalid or expired');
    expect((await exchange()).status).toBe(200);
    return seen(answer);
  },
  async code_used() {
    await sandbox.arm('code_used');
    const answer = await exchange();
    expect(answer.body.error_description).toBe('code has been used already');
    return seen(answer);
  },
  async grant_narrowed(tokens) {
    expect((await tickets(tokens)).status).toBe(200);
    await sandbox.arm('grant_narrowed', { operation: 'tickets.list' });
    const answer = await tickets(tokens);
    // it stays so, also after a refresh; another action goes on
    expect(seen(await tickets(tokens))).toBe(seen(answer));
    const { body } = await refresh(tokens);
    expect(body.granted_actions).toEqual(['fan:listings:write', 'fan:claims:write']);
    return seen(answer);
  },
  async grant_revoked(tokens) {
    await sandbox.arm('grant_revoked');
    const answer = await tickets(tokens);
    expect(seen(await refresh(tokens))).toBe('400 invalid_grant');
    const others = await fresh();
    await sandbox.arm('grant_revoked', { operation: 'token.refresh' });
    expect((await tickets(others)).status).toBe(200);
    expect(seen(await refresh(others))).toBe('400 invalid_grant');
    expect(seen(await tickets(others))).toBe(seen(answer));
    return seen(answer);
  },
  async refresh_reuse(tokens) {
    await sandbox.arm('refresh_reuse');
    const answer = await refresh(tokens);
    expect(seen(await tickets(tokens))).toBe('401 grant_revoked');
    return seen(answer);
  },
  async refresh_answer_lost(tokens) {
    await changeClient(app, app.kit.client_id as never, { refreshRetryWindow: 10 });
    await sandbox.arm('refresh_answer_lost');
    const lost = await lostAnswer(refresh(tokens));
    // within the retry window the same token gets the successor that was lost
    expect((await refresh(tokens)).status).toBe(200);
    await changeClient(app, app.kit.client_id as never, { refreshRetryWindow: 0 });
    const others = await fresh();
    await sandbox.arm('refresh_answer_lost');
    expect(await lostAnswer(refresh(others))).toBe(lost);
    expect(seen(await refresh(others))).toBe('400 invalid_grant');
    return lost;
  },
  async key_rotation() {
    const { id_token: before } = await fresh();
    await sandbox.arm('key_rotation');
    const tokens = await fresh();
    const { kid } = decodeProtectedHeader(tokens.id_token);
    expect(kid).not.toBe(decodeProtectedHeader(before).kid);
    expect(decodeProtectedHeader(tokens.access_token).kid).toBe(kid);
    expect(await jwksHas(kid)).toBe(true);
    expect((await tickets(tokens)).status).toBe(200);
    return '200 new kid';
  },
  async jwks_stale() {
    await sandbox.arm('jwks_stale', { seconds: 2 });
    const tokens = await fresh();
    const { kid } = decodeProtectedHeader(tokens.id_token);
    const isMissing = !(await jwksHas(kid));
    expect((await tickets(tokens)).status).toBe(200);
    await expect.poll(() => jwksHas(kid), { timeout: 8_000, interval: 200 }).toBe(true);
    return isMissing ? '200 kid missing' : '200 kid there';
  },
  async clock_ahead() {
    await sandbox.arm('clock_ahead');
    const tokens = await fresh();
    expect((await tickets(tokens)).status).toBe(200);
    expect(skewOf(tokens.access_token)).toBe(skewOf(tokens.id_token));
    return `200 ${skewOf(tokens.id_token)}`;
  },
  async clock_behind() {
    await sandbox.arm('clock_behind');
    const tokens = await fresh();
    expect((await tickets(tokens)).status).toBe(200);
    return `200 ${skewOf(tokens.id_token)}`;
  },
  async rate_limited(tokens) {
    await sandbox.arm('rate_limited', { seconds: 7, times: 2 });
    const answer = await tickets(tokens);
    expect(answer.headers.get('retry-after')).toBe('7');
    const refused = await refresh(tokens);
    expect([seen(refused), refused.headers.get('retry-after')]).toEqual(['429 temporarily_unavailable', '7']);
    expect((await refresh(tokens)).status).toBe(200);
    return seen(answer);
  },
  async unavailable(tokens) {
    await sandbox.arm('unavailable', { seconds: 3, times: 2 });
    const answer = await tickets(tokens);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(seen(await refresh(tokens))).toBe('503 temporarily_unavailable');
    expect((await refresh(tokens)).status).toBe(200);
    return seen(answer);
  },
  async slow_answer(tokens) {
    await sandbox.arm('slow_answer', { seconds: 1 });
    const began = performance.now();
    const { status } = await tickets(tokens);
    return `${status} ${performance.now() - began >= 1000 ? 'late' : 'in time'}`;
  },
  async cluster_down(tokens) {
    await sandbox.arm('cluster_down');
    const answer = await list(tokens);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await list(tokens)).status).toBe(200);
    return seen(answer);
  },
  async blockhash_expired(tokens) {
    await sandbox.arm('blockhash_expired');
    const answer = await list(tokens);
    const buying = await fresh(buyer);
    const bytes = await transfer(app, market, onSale, buyer.wallet_address);
    await sandbox.arm('blockhash_expired', { operation: 'claims.execute' });
    // the service remembers it as valid, at an earlier slot than that of the permit
    await app.chain.gateway.blockhash(VersionedTransaction.deserialize(bytes).message.recentBlockhash);
    await sleep(SLOT_MS + 100);
    expect(seen(await postFan(app, '/claims/execute', buying.access_token, claimOf(bytes)))).toBe(seen(answer));
    return seen(answer);
  },
  async claim_answer_lost() {
    const tokens = await fresh(buyer);
    const body = await claimBody();
    await sandbox.arm('claim_answer_lost');
    const lost = await lostAnswer(postFan(app, '/claims/execute', tokens.access_token, body));
    await expect.poll(async () => (await onChain(app, onSale)).owner, { timeout: 10_000 }).toBe(buyer.wallet_address);
    const again = await postFan(app, '/claims/execute', tokens.access_token, body);
    expect(again.status).toBe(200);
    expect(again.body.tickets).toMatchObject([{ tix_permit_id: onSale.permit }]);
    return lost;
  },
  async listing_sold() {
    const [selling, buying] = await Promise.all([fresh(), fresh(buyer)]);
    const ticket = await oneTicket(app, seller);
    await putOnSale(app, market, ticket, seller);
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    const body = claimOf(bytes);
    await sandbox.arm('listing_sold', { times: 2 });
    const answer = await postFan(app, '/claims/execute', buying.access_token, body);
    expect(seen(await list(selling))).toBe(seen(answer));
    // it was not sold in truth
    expect((await postFan(app, '/claims/execute', buying.access_token, body)).status).toBe(200);
    return seen(answer);
  },
};

describe('the page has every failure, and every failure has a row', () => {
  const rows = documentedFailures();
  test('once each', () => {
    expect(rows.map(({ failure }) => failure).sort()).toEqual([...FAILURES].sort());
  });

  test.each(rows)('$failure is seen as $sees', { timeout: 30_000 }, async ({ failure, sees }) => {
    expect(await ROWS[failure as Failure](await fresh())).toBe(sees);
  });
});

describe('time travel', () => {
  test('everything that a client holds grows older, and what it gets afterwards is new', async () => {
    const tokens = await fresh();
    const obtained = await obtainCode(app, { scope: SCOPE });
    const started = await authorize(app);
    await sandbox.clock(app.config.accessTokenTtl);
    expect(seen(await tickets(tokens))).toBe('401 access_token_expired');
    expect((await postForm(app, '/oauth2/token', codeForm(obtained))).body.error_description).toBe(
      'code is invalid or expired',
    );
    expect((await callLogin(app, started, 'session.get')).error?.data.reason).toBe('session_expired');
    const next = (await refresh(tokens)).body as unknown as Tokens;
    expect((await tickets(next)).status).toBe(200);
    expect(skewOf(next.access_token)).toBe('iat 0');
    await sandbox.clock(2_592_000 + app.config.accessTokenTtl);
    expect(seen(await refresh(next))).toBe('400 invalid_grant');
    // the grants that are over by that clock end as others do
    await sandbox.end();
    expect((await fresh()).access_token).toBeDefined();
  });

  test('a ticket is no longer there once its event has ended by that clock, but for other clients, and is back when it ends', async () => {
    const endsAt = new Date(Date.now() + 3 * 3600_000);
    const { id } = await oneTicket(app, seller, { endsAt });
    const shown = async (tokens: Tokens) =>
      ((await tickets(tokens)).body.tickets as { id: string }[]).some((ticket) => ticket.id === id);
    const clientId = await makeClient(app, { scopes: SCOPE.split(' ') });
    const others = await signIn(app, { clientId, scope: SCOPE, phone: seller.phone, code: seller.code });
    expect(await shown(await fresh())).toBe(true);
    await sandbox.clock(4 * 3600);
    const after = await fresh();
    expect(await shown(after)).toBe(false);
    // tokens of another client stay as they are
    expect(await shown(others)).toBe(true);
    const form = refreshForm(app, others.refresh_token, { client_id: clientId });
    expect((await postForm(app, '/oauth2/token', form)).status).toBe(200);
    await sandbox.end();
    expect(await shown(after)).toBe(true);
  });

  test('repeating it changes nothing, and it goes one way', async () => {
    await sandbox.clock(50);
    const tokens = await fresh();
    await sandbox.clock(50);
    expect((await tickets(tokens)).status).toBe(200);
    const back = await sandbox.call('POST', '/clock', { ahead_seconds: 49 });
    expect([back.status, back.body.message]).toEqual([400, expect.stringContaining('at least 50')]);
  });
});
