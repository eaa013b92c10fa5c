import { describe, expect, it } from 'vitest';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { lastUseOf, refusedAttempts } from '../../../../src/record/activity/last-use.ts';
import { readTimeline } from '../../../../src/record/activity/read-timeline.ts';
import { resolveSearch } from '../../../../src/record/activity/resolve-search.ts';
import { search } from '../../../../src/record/activity/search.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { CHAIN_SCOPE, oneTicket } from '../../../support/chain-app.ts';
import { authorize, callFan, consent, exchange, signIn, type Tokens, verifyPhone } from '../../../support/partner.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import {
  claim,
  fundedMarketplace,
  postFan,
  putOnSale,
  signatureOf,
  transfer,
} from '../../../support/ticket-transactions.ts';

/** One whole story, told once for all tests: a fan signs in, sells a ticket to another, and loses the grant. */
const app = await testChainApp();
const market = await fundedMarketplace(app);
const [seller, buyer] = app.users;
const ticket = await oneTicket(app, seller);
const started = await authorize(app, { scope: CHAIN_SCOPE });
await verifyPhone(app, started, seller);
const code = (await consent(app, started)).searchParams.get('code') ?? '';
const tokens: Tokens = await exchange(app, { ...started, code });
seller.tokens = () => Promise.resolve(tokens);
const ticketsRequest = (await callFan(app, '/tickets', tokens.access_token)).headers.get('x-request-id') ?? '';
await putOnSale(app, market, ticket, seller);
await reconcile(app.context(), 'sandbox');
const transaction = await transfer(app, market, ticket, buyer.wallet_address);
const signature = signatureOf(transaction);
await claim(app, buyer, [transaction]);
await revokeGrant(app.context(), { grantId: tokens.grant_id, reason: 'revoked_by_client', actor: 'system' });
await postFan(app, '/authorizations', tokens.access_token, {});
await app.runtime.activity.flush();
async function storyOf(text: string, limit = 200) {
  const subjects = await resolveSearch(app.context(), text);
  return (await readTimeline(app.context(), subjects, { limit })).entries;
}
async function titlesOf(text: string) {
  return (await storyOf(text)).map(({ title }) => title);
}
function matches(title: string, landmark: unknown): boolean {
  if (typeof landmark === 'string') return title === landmark;
  return (landmark as { asymmetricMatch(other: string): boolean }).asymmetricMatch(title);
}

describe('the story of a grant', () => {
  it('goes from the authorize request over consent, tokens, calls, co-signature and chain to its end, in order', async () => {
    const titles = await titlesOf(tokens.grant_id);
    const landmarks = [
      'The app sent the fan to sign in.',
      'A code was sent to the fan.',
      'The fan verified the phone number.',
      'The fan allowed access.',
      expect.stringMatching(/^The fan allowed .*: fan:tickets:read, fan:listings:write, fan:claims:write\.$/),
      'The app exchanged its code for tokens.',
      'The app read the tickets.',
      'The app had transactions co-signed.',
      expect.stringMatching(/^Co-signed: /),
      expect.stringMatching(/^The ticket was listed onchain for [\d.]+ SOL\.$/),
      'The ticket was sold onchain.',
      'The grant was revoked: revoked by client.',
      'The app tried to have transactions co-signed.',
    ];
    let place = -1;
    for (const landmark of landmarks) {
      const next = titles.findIndex((title, index) => index > place && matches(title, landmark));
      expect(
        next,
        `${String(landmark)} after ${titles[place] ?? 'the beginning'} in\n${titles.join('\n')}`,
      ).toBeGreaterThan(place);
      place = next;
    }
  });

  it('has each fact once, although several sources have it', async () => {
    const story = await storyOf(tokens.grant_id);
    const told = story.map(({ at, title }) => `${at.toISOString()} ${title}`);
    expect(new Set(told).size).toBe(told.length);
    expect(story.filter(({ title }) => title.includes('fan:tickets:read'))).toHaveLength(1);
    expect(story.filter(({ details }) => details.action === 'listing.co_signed')).toEqual([]);
  });

  it('each entry leads on: the consent knows its client, fan, session and request', async () => {
    const consented = (await storyOf(tokens.grant_id)).find(({ kind }) => kind === 'grant');
    const known = {
      client: app.kit.client_id,
      grant: tokens.grant_id,
      fan: app.users[0].id,
      session: started.sessionId,
    };
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(consented?.references).toEqual({ ...known, ticket: null, permit: null, claim: null, requestId });
  });
});

describe('anything that staff have at hand finds the story', () => {
  it.each([
    ['a request id', () => ticketsRequest, 'request'],
    ['a request id in capitals, with blanks around', () => ` ${ticketsRequest.toUpperCase()} `, 'request'],
    ['a client', () => app.kit.client_id, 'client'],
    ['a grant', () => tokens.grant_id, 'grant'],
    ['a fan', () => app.users[0].id, 'fan'],
    ['a session', () => started.sessionId, 'session'],
    ['a ticket', () => ticket.id, 'ticket'],
    ['a wallet', () => app.users[0].wallet_address, 'fan'],
    ['the address of a permit', () => ticket.permit, 'permit'],
    ['the address of an event', () => ticket.tixEventId, 'event'],
    ['the onchain id of a ticket', () => ticket.tixTicketId, 'ticket'],
    ['the signature of a claim', () => signature, 'claim'],
    ['a phone', () => app.users[0].phone, 'fan'],
    ['a phone as people write it', () => app.users[0].phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-'), 'fan'],
    ['a phone with its country code in brackets', () => app.users[0].phone.replace('+1', '(+1) '), 'fan'],
    ['a phone without its country code', () => app.users[0].phone.replace(/^\+1(\d{3})(\d{3})/, '($1) $2-'), 'fan'],
  ])('%s', async (_, text, kind) => {
    const subjects = await resolveSearch(app.context(), text());
    expect(subjects).toMatchObject([{ kind }]);
    const { entries } = await readTimeline(app.context(), subjects, { limit: 200 });
    if (kind !== 'event') expect(entries.length).toBeGreaterThan(0);
  });

  it.each(['', ' ', 'nothing', "'; drop table fan; --", '+', 'client_0', '0'.repeat(40), '\0'])(
    '%j names nothing',
    async (text) => {
      expect(await resolveSearch(app.context(), text)).toEqual([]);
    },
  );

  it('a request is shown among what its grant and session did, and nothing of others', async () => {
    const story = await storyOf(ticketsRequest);
    const titles = story.map(({ title }) => title);
    expect(titles).toContain('The fan verified the phone number.');
    expect(titles).toContain('The app had transactions co-signed.');
    const sessions = new Set(story.map(({ references }) => references.session).filter((id) => id !== null));
    expect(sessions).toEqual(new Set([started.sessionId]));
  });

  it('the story of a session includes its grant, and that of a fan all of them', async () => {
    expect(await titlesOf(started.sessionId)).toContain('The app read the tickets.');
    expect(await titlesOf(app.users[0].id)).toEqual(expect.arrayContaining(await titlesOf(started.sessionId)));
  });

  it('a ticket, its permit and its claim say who had it signed, sold and claimed, with the requests in which that was done', async () => {
    const titles = await titlesOf(ticket.id);
    expect(titles).toContain('The app had transactions co-signed.');
    expect(titles).toContain('The claim was confirmed onchain.');
    expect(titles).toContain('The app claimed tickets.');
    expect(await titlesOf(ticket.permit)).toEqual(titles);
    const ofClaim = ['The app claimed tickets.', 'A ticket claim started.', 'The claim was confirmed onchain.'];
    expect(await titlesOf(signature)).toEqual(expect.arrayContaining(ofClaim));
  });
});

describe('a long story', () => {
  it('comes in parts, the newest first, and no entry is lost or repeated between them', async () => {
    const subjects = await resolveSearch(app.context(), app.users[0].id);
    const whole = await readTimeline(app.context(), subjects, { limit: 500 });
    expect(whole.earlier).toBeUndefined();
    const parts = [];
    let before: Date | undefined;
    do {
      const part = await readTimeline(app.context(), subjects, { before, limit: 4 });
      parts.unshift(...part.entries);
      before = part.earlier;
    } while (before);
    expect(parts).toEqual(whole.entries);
  });

  it('shows no phone, code or secret anywhere', async () => {
    const context = app.context();
    await context.em.execute(
      `insert into audit_entry (at, actor, action, subject, details) values (now(), 'system', 'fan.noted', ?, ?)`,
      [app.users[0].id, JSON.stringify({ note: [`called from ${app.users[0].phone}`] })],
    );
    const texts = [app.users[0].id, app.kit.client_id, app.users[0].phone, started.sessionId];
    const all = JSON.stringify([
      ...(await Promise.all(texts.map((text) => storyOf(text)))),
      ...(await Promise.all(texts.map((text) => search(context, text)))),
    ]);
    expect(all).toContain('called from +1 ••• ••• ');
    for (const secret of [app.users[0].phone, started.state, tokens.access_token, tokens.refresh_token, '"nonce"']) {
      expect(all).not.toContain(secret);
    }
  });
});

describe('the search', () => {
  it.each([
    ['a part of a client', 'front', 'client'],
    ['a part of a partner, in small letters', 'front', 'partner'],
    ['a part of an event', 'derby', 'event'],
    ['a part of a test user, by number', () => app.users[0].phone.slice(-7), 'fan'],
    ['a request', () => ticketsRequest, 'request'],
    ['a session', () => started.sessionId, 'session'],
    ['a claim', () => signature, 'claim'],
    ['a grant', () => tokens.grant_id, 'grant'],
    ['a permit', () => ticket.permit, 'permit'],
  ])('finds %s', async (_, given, kind) => {
    const text = typeof given === 'string' ? given : given();
    const hits = await search(app.context(), text);
    const hit = hits.find((found) => found.kind === kind);
    expect(hit, JSON.stringify(hits)).toBeDefined();
    expect(hit?.title).not.toBe('');
    expect(hit?.subtitle).not.toBe('');
  });

  it.each(['%', '_', '%%', 'x', ''])(
    '%j finds nothing: the characters of a pattern are taken literally',
    async (text) => {
      expect(await search(app.context(), text)).toEqual([]);
    },
  );
});

describe("what the fan's own page asks", () => {
  it('the last use of a grant is its newest answered call of the Fan API; one that was never used has none', async () => {
    const never = knownId('grant', 'grant_01m7y1r00xfaprs5d1q4tr5hqs');
    const found = await lastUseOf(app.context(), [tokens.grant_id, never]);
    const story = await storyOf(tokens.grant_id);
    const last = story.findLast(({ title }) => title === 'The app had transactions co-signed.');
    expect([...found]).toEqual([[tokens.grant_id, last?.at]]);
  });

  it('where successes are left out of the log, a token that was issued counts as use', async () => {
    const { grant_id: unused } = await signIn(app);
    await app.runtime.activity.flush();
    const context = app.context();
    const requestLog = { ...context.config.requestLog, successes: 0.01 };
    expect((await lastUseOf(context, [unused])).size).toBe(0);
    expect((await lastUseOf({ ...context, config: { ...context.config, requestLog } }, [unused])).size).toBe(1);
  });

  it('refused attempts are one entry for each hour, grant and code', async () => {
    const page = { before: new Date(Date.now() + 86_400_000), limit: 10 };
    const [refused, ...others] = await refusedAttempts(app.context(), [tokens.grant_id], page);
    const kind = { operation: 'listings.sign', outcome: 'grant_revoked' };
    expect(refused).toMatchObject({ grant: tokens.grant_id, ...kind, times: 1 });
    expect(others).toEqual([]);
    const older = { ...page, before: refused?.at ?? page.before };
    expect(await refusedAttempts(app.context(), [tokens.grant_id], older)).toEqual([]);
    const unused = await app.users[1].tokens();
    expect(await refusedAttempts(app.context(), [unused.grant_id], page)).toEqual([]);
  });
});
