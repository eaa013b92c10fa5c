import { beforeAll, describe, expect, it } from 'vitest';
import type { Partner } from '../../../src/entities/partner.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { createTestEvent, type TestEventPlan } from '../../../src/sandbox/create-test-event.ts';
import { createTestUser } from '../../../src/sandbox/create-test-users.ts';
import { grantPermit } from '../../../src/sandbox/grant-permits.ts';
import { testApp } from '../../support/test-app.ts';

const PLAN: TestEventPlan = {
  name: 'An Evening',
  venue: null,
  startsAt: new Date('2030-01-01T18:00:00Z'),
  endsAt: new Date('2030-01-01T21:00:00Z'),
  ticketTypes: ['Standing', 'Seated'],
};

let context: ServiceContext;
let partner: Partner;
const app = await testApp();
beforeAll(async () => {
  context = app.context();
  partner = await registerPartner(context, 'Tester', 'staff:ann');
  await context.em.flush();
});

describe('spec §5.6: a test user', () => {
  it('has a number of its own from the range kept for fiction, a code and a wallet', async () => {
    const users = [];
    for (let i = 0; i < 30; i++) users.push(await createTestUser(context, partner, 'staff:ann'));
    await context.em.flush();
    expect(new Set(users.map(({ fan }) => fan.phone)).size).toBe(30);
    for (const { fan, testUser, wallet } of users) {
      expect(fan).toMatchObject({ mode: 'sandbox', phone: expect.stringMatching(/^\+1\d{3}55501\d\d$/) });
      expect(testUser.code).toMatch(/^\d{6}$/);
      expect(await app.context().em.count(Wallet, { fan: fan.id, address: wallet.address })).toBe(1);
    }
  });
});

describe('a test event', () => {
  it.each<[string, Partial<TestEventPlan>]>([
    ['endsAt', { endsAt: PLAN.startsAt }],
    ['endsAt', { endsAt: new Date('2029-01-01') }],
    ['ticketTypes', { ticketTypes: [] }],
    ['ticketTypes', { ticketTypes: ['Standing', 'Standing'] }],
    ['ticketTypes', { ticketTypes: [' '] }],
    ['ticketTypes', { ticketTypes: ['x'.repeat(121)] }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['venue', { venue: 'x'.repeat(201) }],
    ['timeZone', { timeZone: 'Berlin' }],
  ])('with a bad %s is refused by its name: %o', (field, changes) => {
    let refusal: unknown;
    try {
      createTestEvent(context, { ...PLAN, ...changes }, 'staff:ann');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(field) });
  });

  it('has onchain identifiers of its own, and so have its tickets', async () => {
    const [one, two] = [createTestEvent(context, PLAN, 'staff:ann'), createTestEvent(context, PLAN, 'staff:ann')];
    expect(one.event.tixEventId).not.toBe(two.event.tixEventId);
    const { fan } = await createTestUser(context, partner, 'staff:ann');
    const [ticketType] = one.ticketTypes;
    if (!ticketType) throw new Error('the event has ticket types');
    const granted = [1, 2].map(() => grantPermit(context, { fan, partner, ticketType }, 'staff:ann'));
    await context.em.flush();
    for (const identifiers of [
      granted.map(({ ticket }) => ticket.tixTicketId),
      granted.map(({ permit }) => permit.tixPermitId),
    ]) {
      expect(new Set(identifiers).size).toBe(2);
      for (const identifier of identifiers) expect(identifier).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
    }
  });
});
