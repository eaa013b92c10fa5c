import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Claim } from '../../src/entities/claim.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Listing, ListingSignature } from '../../src/entities/listing.ts';
import { Partner } from '../../src/entities/partner.ts';
import { Passkey } from '../../src/entities/passkey.ts';
import { Permit, UnreadPermit } from '../../src/entities/permit.ts';
import { Proposal } from '../../src/entities/proposal.ts';
import { Ticket } from '../../src/entities/ticket.ts';
import { liftKillSwitch, setKillSwitch } from '../../src/partners/kill-switch/kill-switch.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import { newId } from '../../src/platform/identifier/type-id.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { fanOf, longUnused, type NumberOwner, proveNumber } from '../src/sign-in/verification/long-unused.ts';
import { countStatements } from '../support/count-statements.ts';
import { login, signIn } from '../support/partner.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../support/production.ts';
import { askAs, newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const [support, sue] = [await newStaff(app, 'support'), await newStaff(app, 'support')];
const ray = await newStaff(app, 'reviewer');
const client = await enableProductionClient(app);
let owner: NumberOwner;
let numbers = 5000;
const newPhone = () => `+1404555${numbers++}`;
let phone: string;
const fanId = app.kit.test_users[0]?.id ?? '';
const run = (document: string, variables = {}, as = support) => askAs(app, as, document, variables);

const FAN = `query ($id: ID!, $first: Int = 25) { fan(id: $id) {
  id phone mode walletAddress testUser { code phone }
  tickets(first: $first) { totalCount nodes { id permit { state } ticketType { name event { name } } } }
  grants(first: $first) { nodes { id actions mode revokedAt client { id name } tickets { id } } }
  sessions(first: $first) { nodes { id step client { name } } }
  listings(first: $first) { nodes { id price outcome permit { id ticket { id } } } }
  listingSignatures { sentence action permit { id } grant { id client { name } } }
  claims(first: $first) { nodes { id state signature permit { id } grant { client { name } } } } } }`;

describe('a fan’s page', () => {
  it('has tickets, grants, sign-ins, listings, what was signed, and claims', async () => {
    const [user] = app.kit.test_users;
    const { grant_id: grantId } = await signIn(app, { mode: 'all_current_future' });
    const { em, now } = app.context();
    const permits = await em.find(Permit, { ticket: { owner: knownId('usr', fanId) } }, { orderBy: { id: 'asc' } });
    const [held, sold] = permits;
    if (!held || !sold) throw new Error('the starter kit has permits');
    const marketplace = 'M'.repeat(44);
    em.create(Listing, { permit: held, marketplace, price: 5n, openedAt: now() });
    em.create(Listing, { permit: sold, marketplace, price: 7n, openedAt: now(), closedAt: now(), outcome: 'sold' });
    const signed = { action: 'list', sentence: 'Lists a ticket.', signedAt: now() } as const;
    em.create(ListingSignature, { messageHash: 'h'.repeat(43), permit: sold, grant: grantId, ...signed });
    const wallets = { signerWallet: 'x'.repeat(44), destinationWallet: 'y'.repeat(44) };
    const transaction = { signature: 's'.repeat(88), transaction: '00', recentBlockhash: 'b'.repeat(44) };
    const claimed = { state: 'confirmed', createdAt: now(), updatedAt: now() } as const;
    em.create(Claim, { grant: grantId, permit: held, ...wallets, ...transaction, ...claimed });
    await em.flush();
    await em.nativeUpdate(Ticket, { id: sold.ticket.id }, { owner: null });
    const fan = await run(FAN, { id: fanId });
    expect(fan).toMatchObject({
      id: fanId,
      phone: `+1 ••• ••• ${user?.phone.slice(-4)}`,
      mode: 'SANDBOX',
      walletAddress: user?.wallet_address,
      testUser: { code: user?.code, phone: user?.phone },
      tickets: { totalCount: permits.length - 1 },
      grants: { nodes: [{ id: grantId, revokedAt: null, client: { id: app.kit.client_id }, tickets: [] }] },
      sessions: { nodes: [{ step: 'DONE', client: { name: 'Front Row' } }] },
      listings: {
        nodes: [
          { price: '7', outcome: 'SOLD', permit: { id: sold.id } },
          { price: '5', outcome: null },
        ],
      },
      listingSignatures: [{ sentence: 'Lists a ticket.', action: 'LIST', grant: { id: grantId } }],
      claims: { nodes: [{ state: 'CONFIRMED', permit: { id: held.id }, grant: { client: { name: 'Front Row' } } }] },
    });
  });

  it('takes no more statements for many grants and tickets than for one of each', async () => {
    for (let i = 0; i < 4; i++) await signIn(app);
    const few = await countStatements(() => run(FAN, { id: fanId, first: 1 }));
    const many = await countStatements(() => run(FAN, { id: fanId, first: 25 }));
    const further = many.statements.filter((text) => !few.statements.includes(text));
    expect(many.statements.length, further.join('\n')).toBeLessThanOrEqual(few.statements.length);
  });

  it('says whether the fan is stopped', async () => {
    const stopped = () => run('query ($id: ID!) { fan(id: $id) { killSwitch { kind reason } } }', { id: fanId });
    expect(await stopped()).toEqual({ killSwitch: null });
    await setKillSwitch(app.context(), { kind: 'fan', fanId }, 'A stolen phone.', 'system');
    expect(await stopped()).toEqual({ killSwitch: { kind: 'FAN', reason: 'A stolen phone.' } });
    await liftKillSwitch(app.context(), { kind: 'fan', fanId }, 'Found.', 'system');
  });
});

describe('a fan’s phone number', () => {
  const REVEAL = `mutation ($fanId: ID!, $reason: String!) { revealPhone(fanId: $fanId, reason: $reason) {
    __typename ... on Refusal { code message } ... on RevealedPhone { phone fan { id phone } } } }`;

  it('finds the fan of each mode, masked, and is shown whole only with a reason', async () => {
    const fan = await registerFan(app.context(), 'production', '+447400123456');
    const found = await run('{ findFans(phone: "0044 7400 123-456") { id phone } }');
    expect(found).toEqual([{ id: fan.id, phone: '+44 ••• ••• 3456' }]);
    expect(await run(REVEAL, { fanId: fan.id, reason: 'calls back' })).toMatchObject({
      phone: '+447400123456',
      fan: { id: fan.id, phone: '+44 ••• ••• 3456' },
    });
    expect(await run(REVEAL, { fanId: fan.id, reason: '' })).toMatchObject({ code: 'invalid_request' });
    await expect(run('{ findFans(phone: "nothing") { id } }')).rejects.toMatchObject({ code: 'invalid_phone' });
  });

  it('of production is in no other answer', async () => {
    const { em } = app.context();
    const { id } = await em.findOneOrFail(Fan, { phone: '+447400123456' });
    expect(JSON.stringify(await run(FAN, { id }))).not.toContain('7400123');
  });
});

describe('grants, listings and claims', () => {
  it('are listed with filters', async () => {
    const grants = await run(
      'query ($clientId: ID!, $fanId: ID!) { grants(clientId: $clientId, fanId: $fanId, revoked: false) { nodes { id fan { id } } } }',
      { clientId: app.kit.client_id, fanId },
    );
    expect(grants.nodes.length).toBeGreaterThan(1);
    expect(await run('{ listings(open: true) { nodes { price } } }')).toEqual({ nodes: [{ price: '5' }] });
    expect(await run('{ listings(outcome: SOLD) { totalCount } }')).toEqual({ totalCount: 1 });
    const claims = `query ($fanId: ID, $clientId: ID, $state: ClaimState) {
      claims(fanId: $fanId, clientId: $clientId, state: $state) { totalCount } }`;
    expect(await run(claims, { fanId, clientId: app.kit.client_id, state: 'CONFIRMED' })).toEqual({ totalCount: 1 });
    expect(await run(claims, { state: 'FAILED' })).toEqual({ totalCount: 0 });
  });

  it('a claim is stuck where its last attempt failed, or where it has been open for more than five minutes', async () => {
    const claims = `query ($stuck: Boolean) {
      claims(stuck: $stuck) { nodes { state stuck setAside attempts nextAttemptAt } } }`;
    const { em, now } = app.context();
    const { id } = await em.findOneOrFail(Claim, { signature: 's'.repeat(88) });
    const write = (change: Partial<Claim>) => em.nativeUpdate(Claim, { id }, change);
    expect(await run(claims, { stuck: true })).toEqual({ nodes: [] });
    expect(await run(claims, { stuck: false })).toMatchObject({ nodes: [{ stuck: false, nextAttemptAt: null }] });
    const at = new Date('2026-11-25T10:00:00Z');
    const trouble = { state: 'submitted', setAside: 'no such blockhash', attempts: 3, nextAttemptAt: at } as const;
    await write({ ...trouble, updatedAt: now() });
    expect(await run(claims, { stuck: true })).toEqual({
      nodes: [{ ...trouble, state: 'SUBMITTED', stuck: true, nextAttemptAt: at.toISOString() }],
    });
    expect(await run(claims, { stuck: false })).toEqual({ nodes: [] });
    // a cluster that does not answer sets no claim aside
    await write({ setAside: null, updatedAt: new Date(now().getTime() - 290_000) });
    expect(await run(claims, { stuck: true })).toEqual({ nodes: [] });
    await write({ updatedAt: new Date(now().getTime() - 310_000) });
    expect(await run(claims, { stuck: true })).toMatchObject({ nodes: [{ stuck: true, setAside: null }] });
    await write({ state: 'confirmed', attempts: 0, nextAttemptAt: null });
    expect(await run(claims, { stuck: true })).toEqual({ nodes: [] });
  });

  it('each listing and each claim has an address of its own', async () => {
    const { nodes } = await run('{ listings(open: true) { nodes { id } } }');
    const [{ id }] = nodes;
    expect(await run('query ($id: ID!) { listing(id: $id) { id price } }', { id })).toEqual({ id, price: '5' });
    const claims = await run('{ claims { nodes { id } } }');
    const [one] = claims.nodes;
    expect(await run(`{ claim(id: "${one.id}") { id state } }`)).toEqual({ id: one.id, state: 'CONFIRMED' });
  });
});

it('signing keys are listed without their private parts and rotated by an admin', async () => {
  const admin = await newStaff(app, 'admin');
  const rotated = await run('mutation { rotateKeys { ... on RotatedKeys { kid signsFrom } } }', {}, admin);
  const keys = await run('{ signingKeys { kid state signsFrom publicJwk createdAt activatedAt retiredAt } }');
  expect(keys).toMatchObject([
    { kid: rotated.kid, state: 'NEXT', signsFrom: rotated.signsFrom },
    { kid: expect.not.stringMatching(rotated.kid), state: 'CURRENT', signsFrom: null },
  ]);
  expect(Object.keys(keys[0].publicJwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

describe('fan number', () => {
  beforeEach(() => {
    owner = { app, client, codeFor: readCodesFromLog(app) };
    phone = newPhone();
  });

  afterEach(() => app.resetClock());

  const answer = (call: string, as: SignedInStaff) =>
    run(
      `mutation { ${call} { __typename ... on Proposal { id state effects } ... on Refusal { code message } } }`,
      {},
      as,
    );
  const reopen = (code: string) => answer(`proposeReopen(code: "${code}", reason: "Knows the order.")`, sue);
  const changeTo = ({ id }: Fan, to: string) =>
    answer(`proposeNumberChange(fanId: "${id}", phone: "${to}", reason: "Lost the SIM.")`, sue);
  const approve = ({ id }: { id: string }, as = ray) => {
    as.authenticatedAt = app.runtime.now();
    return answer(`approveProposal(proposalId: "${id}", reason: "Called back.")`, as);
  };

  /** A fan whose number is asked about, and the code that its holder can read out. */
  async function stopped() {
    const fan = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    const { code } = await login<{ code: string }>(app, started, 'continuity.askSupport');
    app.advance(31);
    return { fan, started, code };
  }

  describe('D-078: support opens an account for the holder of its number', () => {
    it('after a second person approved, the number signs in to it again', async () => {
      const { fan, code } = await stopped();
      const proposal = await reopen(code.toLowerCase());
      expect(proposal).toMatchObject({ __typename: 'Proposal', state: 'PROPOSED' });
      expect((await proveNumber(owner, phone)).step).toBe('continuity');
      app.advance(31);
      expect(await approve(proposal, sue)).toMatchObject({ code: 'forbidden' });
      expect(await approve(proposal)).toMatchObject({ state: 'DONE' });
      expect((await proveNumber(owner, phone)).step).toBe('consent');
      expect((await fanOf(app, phone)).id).toBe(fan.id);
      const proved = { subject: fan.id, action: 'fan.continuity_proved' };
      const { details } = await app.context().em.findOneOrFail(AuditEntry, proved);
      expect(details).toEqual({ by: 'support', proposal: proposal.id });
    });

    it('takes it back from an empty account that was begun meanwhile, but not from one that holds something', async () => {
      const { fan, started, code } = await stopped();
      await login(app, started, 'continuity.startNew');
      const anew = await fanOf(app, phone);
      const { permit, ticket } = await giveTicket(app, anew);
      const proposal = await reopen(code);
      expect(await approve(proposal)).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('not merged'),
      });
      expect((await fanOf(app, phone)).id).toBe(anew.id);
      await app.context().em.execute('delete from permit where tix_permit_id = ?', [permit.tixPermitId]);
      await app.context().em.execute('delete from ticket where tix_ticket_id = ?', [ticket.tixTicketId]);
      expect(await approve(proposal)).toMatchObject({ state: 'DONE' });
      expect((await fanOf(app, phone)).id).toBe(fan.id);
      expect(await app.context().em.findOneOrFail(Fan, { id: anew.id })).toMatchObject({ phone: null });
    });

    it('needs a code of the last 7 days', async () => {
      const { code } = await stopped();
      expect(await reopen('0000-0000')).toMatchObject({ code: 'not_found' });
      app.advance(7 * 86_400);
      expect(await reopen(code)).toMatchObject({ code: 'not_found' });
    });
  });

  describe('D-078: support changes a number', () => {
    it('to one that its holder has proved by a sign-in; no number is kept in the proposal', async () => {
      await proveNumber(owner, phone);
      const fan = await fanOf(app, phone);
      const to = newPhone();
      expect(await changeTo(fan, to)).toMatchObject({ code: 'conflict', message: expect.stringContaining('7 days') });
      await proveNumber(owner, to);
      const proposal = await changeTo(fan, to);
      expect(proposal.state).toBe('PROPOSED');
      const row = await app.context().em.findOneOrFail(Proposal, { subject: fan.id, kind: 'fan.number_change' });
      expect(JSON.stringify(row.details)).not.toContain(to.slice(1));
      expect(await approve(proposal)).toMatchObject({ state: 'DONE' });
      expect((await fanOf(app, to)).id).toBe(fan.id);
      const fans = await run(`{ findFans(phone: "${phone}") { id formerNumbers { reason } } }`);
      expect(fans).toMatchObject([{ id: fan.id, formerNumbers: [{ reason: 'CHANGED_BY_SUPPORT' }] }]);
    });

    it('not to one that was proved longer ago, nor to that of an account that holds something', async () => {
      await proveNumber(owner, phone);
      const fan = await fanOf(app, phone);
      const to = newPhone();
      await proveNumber(owner, to);
      await giveTicket(app, await fanOf(app, to));
      const proposal = await changeTo(fan, to);
      expect(await approve(proposal)).toMatchObject({ code: 'conflict' });
      expect((await fanOf(app, phone)).id).toBe(fan.id);
      const old = newPhone();
      await proveNumber(owner, old);
      app.advance(8 * 86_400);
      expect(await changeTo(fan, old)).toMatchObject({ code: 'conflict', message: expect.stringContaining('7 days') });
    });
  });

  it('a fan’s page in the console shows the last proof, whether more than a code is asked for, and passkeys, which support can remove', async () => {
    await proveNumber(owner, phone);
    const fan = await fanOf(app, phone);
    await giveTicket(app, fan);
    const { em, now } = app.context();
    const id = newId('pky');
    const row = { id, fan: fan.id, credentialId: id, publicKey: 'AA', counter: 0, transports: [], rpId: 'localhost' };
    await em.insert(Passkey, { ...row, name: 'Chrome on Windows', createdAt: now() });
    const read = () =>
      run(`{ fan(id: "${fan.id}") { numberProvedAt numberIsOld formerNumbers { phone } passkeys { id name } } }`);
    expect(await read()).toEqual({
      numberProvedAt: fan.numberProvedAt?.toISOString(),
      numberIsOld: false,
      formerNumbers: [],
      passkeys: [{ id, name: 'Chrome on Windows' }],
    });
    await run(`mutation { removePasskey(passkeyId: "${id}", reason: "Lost.") { __typename } }`);
    app.advance(366 * 86_400);
    expect(await read()).toMatchObject({ numberIsOld: true, passkeys: [] });
  });
});

const token = { ...(await newStaff(app)), authenticatedAt: null, scopes: ['sandbox:write'] };
const partnerId = (await app.context().em.findAll(Partner, { limit: 1 }))[0]?.id ?? '';

/** @param selection of each test user that it makes */
const createTestUsers = (selection: string, more = '') => `mutation ($partnerId: ID!) {
  createTestUsers(partnerId: $partnerId, count: 1) {
    ... on CreatedTestUsers { testUsers { ${selection} } } ... on Refusal { code message }
  }
} ${more}`;

const entries = (action: string) => app.context().em.count(AuditEntry, { action });

test('a token that may change something learns what came of it', async () => {
  const answer = await runAs(app, token, createTestUsers('id phone code'), { partnerId });
  expect(answer).toEqual({
    createTestUsers: {
      testUsers: [{ id: expect.stringMatching(/^usr_/), phone: expect.any(String), code: expect.any(String) }],
    },
  });
});

test.each([
  ['', 'partner { clients { nodes { history { nodes { details } } } } }', ''],
  [' by a fragment', '...lead', 'fragment lead on TestUser { partner { name } }'],
])('it does not read on from there%s: it is refused, on record, and nothing is done', async (_, selection, more) => {
  const [made, refused] = [await entries('test_user.created'), await entries('staff.refused')];
  expect(await runAs(app, token, createTestUsers(selection, more), { partnerId })).toMatchObject({
    createTestUsers: { code: 'forbidden', message: expect.stringContaining('console:read') },
  });
  expect(await entries('test_user.created')).toBe(made);
  expect(await entries('staff.refused')).toBe(refused + 1);
});

test('with the right to read it does', async () => {
  const reader = { ...token, scopes: ['sandbox:write', 'console:read'] };
  expect(await runAs(app, reader, createTestUsers('partner { name }'), { partnerId })).toEqual({
    createTestUsers: { testUsers: [{ partner: { name: expect.any(String) } }] },
  });
});

test('permits that could not be read are a filter of the list, with the reason and the next try', async () => {
  const { em } = app.context();
  const [bad, ...others] = await em.find(Permit, {}, { orderBy: { id: 'asc' } });
  if (!bad) throw new Error('the starter kit has permits');
  const since = new Date('2026-11-25T10:00:00.000Z');
  const retryAt = new Date('2026-11-25T10:00:20.000Z');
  em.create(UnreadPermit, { permit: bad, reason: 'permit state 7', since, tries: 2, slot: 7n, retryAt });
  await em.flush();
  const list = (unread: boolean | null) =>
    run(`{ permits(unread: ${unread}, first: 50) { totalCount nodes { id unread { reason since tries retryAt } } } }`);
  const unread = { reason: 'permit state 7', since: since.toISOString(), tries: 2, retryAt: retryAt.toISOString() };
  expect(JSON.parse(JSON.stringify(await list(true)))).toEqual({ totalCount: 1, nodes: [{ id: bad.id, unread }] });
  const readable = await list(false);
  expect(readable.totalCount).toBe(others.length);
  expect(readable.nodes).toEqual(others.map(() => ({ id: expect.not.stringMatching(bad.id), unread: null })));
  expect((await list(null)).totalCount).toBe(others.length + 1);
});
