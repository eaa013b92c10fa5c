import { describe, expect, it } from 'vitest';
import { Partner } from '../../src/entities/partner.ts';
import { SandboxKit, TestUser } from '../../src/entities/test-user.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient } from '../support/make-client.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const support = await newStaff(app, 'support');
const partnerId = (await app.context().em.findOneOrFail(Partner, { name: 'Front Row' })).id;
const run = (document: string, variables = {}) => askAs(app, support, document, variables);
const CREATE_USERS = `mutation ($partnerId: ID!, $count: Int!) { createTestUsers(partnerId: $partnerId, count: $count) {
  __typename ... on Refusal { code message }
  ... on CreatedTestUsers { testUsers { id phone code fan { phone testUser { code } } } } } }`;
const CREATE_EVENT = `mutation ($input: TestEventInput!) { createTestEvent(input: $input) {
  __typename ... on Refusal { code message }
  ... on Event { id mode name timeZone partner { name } ticketTypes { id name event { id } } } } }`;
const GRANT = `mutation ($partnerId: ID!, $ticketTypeId: ID!, $fanIds: [ID!]!) {
  grantPermits(partnerId: $partnerId, ticketTypeId: $ticketTypeId, fanIds: $fanIds) {
    __typename ... on Refusal { code message } ... on PermitsChanged { permits { id } } } }`;
const PERMITS = `query ($first: Int, $after: String, $state: PermitState, $search: String, $eventId: ID, $fanId: ID) {
  permits(first: $first, after: $after, state: $state, search: $search, eventId: $eventId, fanId: $fanId) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id state tixPermitId partner { name } listings { id }
      ticket { id tixTicketId owner { id phone walletAddress } ticketType { name event { id name tixEventId } } } } } }`;
const EVENING = { startsAt: '2040-01-01T18:00:00Z', endsAt: '2040-01-01T21:00:00Z', ticketTypes: ['Standing'] };
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('test users, events and permits', () => {
  it('an event has the time zone of its venue', async () => {
    const input = { ...EVENING, name: 'Gala' };
    const zoned = await run(CREATE_EVENT, { input: { ...input, timeZone: 'Europe/Berlin' } });
    expect(zoned).toMatchObject({ timeZone: 'Europe/Berlin' });
    const refused = await run(CREATE_EVENT, { input: { ...input, timeZone: 'Berlin' } });
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('timeZone') });
  });

  it('test users are made for every partner where none is named', async () => {
    const { testUsers } = await run(
      'mutation { createTestUsers(count: 1) { ... on CreatedTestUsers { testUsers { id } } } }',
    );
    const [{ id: fan }] = testUsers;
    expect(await app.context().em.findOneOrFail(TestUser, { fan })).toMatchObject({ partner: null });
  });

  it('test users are found by a part of their number, in the digits of any script', async () => {
    const { testUsers } = await run(CREATE_USERS, { partnerId, count: 2 });
    const search = testUsers[0].phone
      .slice(-10)
      .replace(/\d/g, (digit: string) => String.fromCodePoint(0x660 + +digit));
    const found = await run('query ($search: String) { testUsers(search: $search) { nodes { id } } }', { search });
    expect(ids(found.nodes)).toEqual([testUsers[0].id]);
  });

  it('an event for a partner that is not there is refused in words', async () => {
    expect(await run(CREATE_EVENT, { input: { ...EVENING, name: 'Gala', partnerId: 'ptn_x' } })).toMatchObject({
      __typename: 'Refusal',
      message: 'There is no partner ptn_x.',
    });
  });
});

describe('the list of permits', () => {
  it('is found by each identifier, by addresses of the chain and by the event’s name', async () => {
    const { nodes } = await run(PERMITS, { first: 100 });
    const one = nodes.at(-1);
    const { owner, ticketType } = one.ticket;
    const { event } = ticketType;
    const found = async (search: string) => ids((await run(PERMITS, { search, first: 100 })).nodes);
    for (const search of [one.id, one.tixPermitId, one.ticket.id, one.ticket.tixTicketId, ` ${one.ticket.id} `]) {
      expect(await found(search)).toEqual([one.id]);
    }
    const those = (is: (ticket: typeof one.ticket) => boolean) =>
      ids(nodes.filter((node: typeof one) => is(node.ticket)));
    for (const search of [owner.id, owner.walletAddress]) {
      expect(await found(search)).toEqual(those((ticket) => ticket.owner.id === owner.id));
    }
    for (const search of [event.id, event.tixEventId, 'northern LIGHTS']) {
      expect(await found(search)).toEqual(those((ticket) => ticket.ticketType.event.id === event.id));
    }
    expect(await found('no event has this name')).toEqual([]);
    expect(await found('a\0b')).toEqual([]);
  });

  it('is narrowed by state, event and fan', async () => {
    const { nodes } = await run(PERMITS, { first: 100, state: 'WAITING' });
    const [fanId, eventId] = [nodes[0].ticket.owner.id, nodes[0].ticket.ticketType.event.id];
    const both = ({ ticket }: (typeof nodes)[0]) => ticket.owner.id === fanId && ticket.ticketType.event.id === eventId;
    expect(ids((await run(PERMITS, { fanId, eventId, first: 100 })).nodes)).toEqual(ids(nodes.filter(both)));
    expect((await run(PERMITS, { state: 'ISSUED' })).totalCount).toBe(0);
  });

  it('takes as many statements for a hundred permits as for two', async () => {
    const { testUsers } = await run(CREATE_USERS, { partnerId, count: 50 });
    for (const name of ['One', 'Two']) {
      const { ticketTypes } = await run(CREATE_EVENT, { input: { ...EVENING, name, partnerId } });
      await run(GRANT, { partnerId, ticketTypeId: ticketTypes[0].id, fanIds: ids(testUsers) });
    }
    const few = await countStatements(() => run(PERMITS, { first: 2 }));
    const many = await countStatements(() => run(PERMITS, { first: 100 }));
    expect(many.result.nodes).toHaveLength(100);
    expect(many.statements.length).toBe(few.statements.length);
    // permits, their count, partners, listings, tickets, fans, wallets, types, events
    expect(many.statements.length).toBeLessThanOrEqual(9);
  });
});

it('what clients simulate is read with one statement for a page of clients', async () => {
  const list = `query ($first: Int!) { clients(first: $first) { nodes { id simulation { armed { title } met { title } } } } }`;
  for (const name of ['One', 'Two', 'Three']) await makeClient(app, { name });
  const few = await countStatements(() => run(list, { first: 1 }));
  const many = await countStatements(() => run(list, { first: 20 }));
  expect(many.result.nodes.length).toBeGreaterThan(3);
  expect(many.statements.length).toBe(few.statements.length);
});

describe('a client’s starter kit', () => {
  const CREATE = `mutation ($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { __typename ... on Refusal { code message }
      ... on StarterKit { id client { id } testUser { phone code } event { name } configuration } } }`;

  it('statements do not grow with the kits', async () => {
    const list = `query ($clientId: ID!) { starterKits(clientId: $clientId) { testUser { phone } event { name } configuration } }`;
    const clientId = app.kit.client_id;
    const count = async () => (await countStatements(() => run(list, { clientId }))).statements.length;
    const { id } = await run(CREATE, { clientId, requestKey: 'one' });
    const ofOne = await count();
    await run(CREATE, { clientId, requestKey: 'two' });
    await run(CREATE, { clientId, requestKey: 'three' });
    expect(await count()).toBe(ofOne);
    expect(id).toMatch(/^kit_/);
    await app.context().em.nativeDelete(SandboxKit, { client: clientId });
  });

  it('has a configuration to copy, is the same for the same key, and goes with a reset', async () => {
    const clientId = app.kit.client_id;
    const kit = await run(CREATE, { clientId, requestKey: 'click-1' });
    const { testUser } = kit;
    expect(kit).toMatchObject({
      client: { id: clientId },
      event: { name: 'Opening Night' },
      configuration: {
        client_id: clientId,
        redirect_uris: app.kit.redirect_uris,
        test_users: [{ ...testUser, wallet_address: expect.any(String) }],
        auth_url: app.origin,
        api_url: `${app.origin}/fan`,
        rpc_url: null,
      },
    });
    expect(kit.configuration).not.toHaveProperty('admin_url');
    expect(await run(CREATE, { clientId, requestKey: 'click-1' })).toMatchObject({ id: kit.id });
    const list = `query ($clientId: ID!) { starterKits(clientId: $clientId) { id } }`;
    expect(await run(list, { clientId })).toEqual([{ id: kit.id }]);

    const contents = `query ($partnerId: ID!) { sandboxContents(partnerId: $partnerId) { permits grants events testUsers } }`;
    const before = await run(contents, { partnerId });
    const reset = `mutation ($partnerId: ID!, $confirm: String!) {
      resetSandbox(partnerId: $partnerId, confirm: $confirm, keepTestUsers: false) { __typename
        ... on Refusal { code message } ... on SandboxReset { permits grants events testUsers } } }`;
    expect(await run(reset, { partnerId, confirm: 'no' })).toMatchObject({
      message: 'confirm must be the partner’s name: Front Row.',
    });
    const { __typename, ...ended } = await run(reset, { partnerId, confirm: 'Front Row' });
    expect(
      Object.fromEntries(Object.entries(ended).map(([what, those]) => [what, (those as string[]).length])),
    ).toEqual(before);
    expect(before.permits).toBeGreaterThan(100);
    expect(await run(contents, { partnerId })).toEqual({ permits: 0, grants: 0, events: 0, testUsers: 0 });
    expect(await run(list, { clientId })).toEqual([]);
  });
});
