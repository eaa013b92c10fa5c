import { beforeAll, describe, expect, it } from 'vitest';
import { Claim } from '../../src/entities/claim.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Listing, ListingSignature } from '../../src/entities/listing.ts';
import { Permit } from '../../src/entities/permit.ts';
import { registerFan } from '../../src/fan/register-fan.ts';
import { knownId } from '../../src/identifier/known-id.ts';
import { liftKillSwitch, setKillSwitch } from '../../src/kill-switch/kill-switch.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { countStatements } from '../support/count-statements.ts';
import { callFan, signIn } from '../support/partner.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** Fans through GraphQL. */
let support: SignedInStaff;
let fanId: string;
const app = await testApp();
beforeAll(async () => {
  support = await newStaff(app, 'support');
  fanId = app.kit.test_users[0]?.id ?? '';
});

async function run<Data>(document: string, variables: Record<string, unknown> = {}): Promise<Data> {
  return Object.values(await runAs<Record<string, Data>>(app, support, document, variables))[0] as Data;
}

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
    em.create(ListingSignature, {
      messageHash: 'h'.repeat(43),
      permit: sold,
      grant: grantId,
      action: 'list',
      sentence: 'Lists a ticket.',
      signedAt: now(),
    });
    em.create(Claim, {
      signature: 's'.repeat(88),
      grant: grantId,
      permit: held,
      signerWallet: 'x'.repeat(44),
      destinationWallet: 'y'.repeat(44),
      transaction: '00',
      recentBlockhash: 'b'.repeat(44),
      state: 'confirmed',
      createdAt: now(),
      updatedAt: now(),
    });
    await em.flush();
    await em.execute(
      'update ticket set owner_id = null where id = (select ticket_id from permit where tix_permit_id = ?)',
      [sold.tixPermitId],
    );
    const fan = await run<Record<string, unknown>>(FAN, { id: fanId });
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
    expect(many.statements.length).toBeLessThanOrEqual(few.statements.length);
  });

  it('says whether the fan is stopped', async () => {
    const stopped = () => run('query ($id: ID!) { fan(id: $id) { killSwitch { kind reason } } }', { id: fanId });
    expect(await stopped()).toEqual({ killSwitch: null });
    await setKillSwitch(app.context(), { kind: 'fan', fanId }, 'A stolen phone.', 'system');
    expect(await stopped()).toEqual({ killSwitch: { kind: 'FAN', reason: 'A stolen phone.' } });
    await liftKillSwitch(app.context(), { kind: 'fan', fanId }, 'Found.', 'system');
  });

  it('is none for an identifier that is not there or is none', async () => {
    expect(await run(FAN, { id: 'usr_01h455vb4pex5vsknk084sn02q' })).toBeNull();
    await expect(run(FAN, { id: 'x' })).rejects.toThrow('There is no fan x.');
  });
});

describe('a fan’s phone number', () => {
  const REVEAL = `mutation ($fanId: ID!, $reason: String!) { revealPhone(fanId: $fanId, reason: $reason) {
    __typename ... on Refusal { code message } ... on RevealedPhone { phone fan { id phone } } } }`;

  it('finds the fan of each mode, masked, and is shown whole only with a reason', async () => {
    const fan = await registerFan(app.context(), 'production', '+447400123456');
    const found = await run<{ id: string; phone: string }[]>('{ findFans(phone: "0044 7400 123-456") { id phone } }');
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
    const grants = await run<{ nodes: { id: string }[] }>(
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
    const { nodes } = await run<{ nodes: { id: string }[] }>('{ listings(open: true) { nodes { id } } }');
    const id = nodes[0]?.id ?? '';
    expect(await run('query ($id: ID!) { listing(id: $id) { id price } }', { id })).toEqual({ id, price: '5' });
    const claims = await run<{ nodes: { id: string }[] }>('{ claims { nodes { id } } }');
    const claim = `query ($id: ID!) { claim(id: $id) { id state } }`;
    const [one] = claims.nodes;
    expect(await run(claim, { id: one?.id })).toEqual({ id: one?.id, state: 'CONFIRMED' });
    expect(await run(claim, { id: 'clm_01h455vb4pex5vsknk084sn02q' })).toBeNull();
  });

  it('a grant is ended with a reason; the client’s next call is refused', async () => {
    const { grant_id: grantId, access_token: token } = await signIn(app);
    const revoke = `mutation ($grantId: ID!, $reason: String!) { revokeGrant(grantId: $grantId, reason: $reason) {
      __typename ... on Refusal { code } ... on Grant { id revokedReason fan { id } } } }`;
    expect(await run(revoke, { grantId, reason: 'the fan asked' })).toEqual({
      __typename: 'Grant',
      id: grantId,
      revokedReason: 'revoked_by_staff',
      fan: { id: fanId },
    });
    expect((await callFan(app, '/tickets', token)).status).toBe(401);
    expect(await run(revoke, { grantId, reason: 'again' })).toMatchObject({ code: 'conflict' });
  });
});

describe('signing keys', () => {
  it('are listed without their private parts and rotated by an admin', async () => {
    const admin = await newStaff(app, 'admin');
    const rotate =
      'mutation { rotateKeys { __typename ... on RotatedKeys { kid signsFrom } ... on Refusal { code } } }';
    const { rotateKeys } = await runAs<{ rotateKeys: { kid: string; signsFrom: Date } }>(app, admin, rotate);
    const keys = await run<{ kid: string; state: string; signsFrom: Date | null; publicJwk: object }[]>(
      '{ signingKeys { kid state signsFrom publicJwk createdAt activatedAt retiredAt } }',
    );
    expect(keys.map(({ kid, state, signsFrom }) => [kid === rotateKeys.kid, state, signsFrom])).toEqual([
      [true, 'NEXT', rotateKeys.signsFrom],
      [false, 'CURRENT', null],
    ]);
    expect(Object.keys(keys[0]?.publicJwk ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});
