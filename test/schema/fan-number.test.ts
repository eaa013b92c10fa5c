import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Passkey } from '../../src/entities/passkey.ts';
import { Proposal } from '../../src/entities/proposal.ts';
import { newId } from '../../src/identifier/type-id.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { fanOf, longUnused, type NumberOwner, proveNumber } from '../src/verification/long-unused.ts';
import { login } from '../support/partner.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../support/production.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const client = await enableProductionClient(app);
let owner: NumberOwner;
let sue: SignedInStaff;
let ray: SignedInStaff;
let numbers = 5000;
const newPhone = () => `+1404555${numbers++}`;
let phone: string;

beforeAll(async () => {
  sue = await newStaff(app, 'support');
  ray = await newStaff(app, 'reviewer');
});
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
});
afterEach(() => app.resetClock());

interface Answer {
  __typename: string;
  id: string;
  state: string;
  code: string;
  message: string;
}
const FIELDS = '__typename ... on Proposal { id state effects } ... on Refusal { code message }';

async function reopen(code: string, as = sue): Promise<Answer> {
  const document = `mutation ($code: String!) { answer: proposeReopen(code: $code, reason: "Knows the order.") { ${FIELDS} } }`;
  return (await runAs<{ answer: Answer }>(app, as, document, { code })).answer;
}

async function changeTo(fan: Fan, to: string): Promise<Answer> {
  const document = `mutation ($id: ID!, $to: String!) { answer: proposeNumberChange(fanId: $id, phone: $to, reason: "Lost the SIM.") { ${FIELDS} } }`;
  return (await runAs<{ answer: Answer }>(app, sue, document, { id: fan.id, to })).answer;
}

async function approve({ id }: Answer, as = ray): Promise<Answer> {
  as.authenticatedAt = app.runtime.now();
  const document = `mutation ($id: ID!) { answer: approveProposal(proposalId: $id, reason: "Called back.") { ${FIELDS} } }`;
  return (await runAs<{ answer: Answer }>(app, as, document, { id })).answer;
}

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
    const entry = await app
      .context()
      .em.findOneOrFail(AuditEntry, { subject: fan.id, action: 'fan.continuity_proved' });
    expect(entry.details).toEqual({ by: 'support', proposal: proposal.id });
  });

  it('takes it back from an empty account that was begun meanwhile, but not from one that holds something', async () => {
    const { fan, started, code } = await stopped();
    await login(app, started, 'continuity.startNew');
    const anew = await fanOf(app, phone);
    const { permit, ticket } = await giveTicket(app, anew);
    const proposal = await reopen(code);
    expect(await approve(proposal)).toMatchObject({ code: 'conflict', message: expect.stringContaining('not merged') });
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
    const { fans } = await runAs<{ fans: { id: string; phone: string }[] }>(
      app,
      sue,
      'query ($phone: String!) { fans: findFans(phone: $phone) { id phone formerNumbers { reason } } }',
      { phone },
    );
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

describe('a fan’s page in the console', () => {
  it('shows the last proof, whether more than a code is asked for, and passkeys, which support can remove', async () => {
    await proveNumber(owner, phone);
    const fan = await fanOf(app, phone);
    await giveTicket(app, fan);
    const { em, now } = app.context();
    const id = newId('pky');
    const row = { id, fan: fan.id, credentialId: id, publicKey: 'AA', counter: 0, transports: [], rpId: 'localhost' };
    await em.insert(Passkey, { ...row, name: 'Chrome on Windows', createdAt: now() });
    const document =
      'query ($id: ID!) { fan(id: $id) { numberProvedAt numberIsOld formerNumbers { phone } passkeys { id name } } }';
    const read = async () => (await runAs<{ fan: object }>(app, sue, document, { id: fan.id })).fan;
    expect(await read()).toEqual({
      numberProvedAt: fan.numberProvedAt?.toISOString(),
      numberIsOld: false,
      formerNumbers: [],
      passkeys: [{ id, name: 'Chrome on Windows' }],
    });
    const remove = 'mutation ($id: ID!) { answer: removePasskey(passkeyId: $id, reason: "Lost.") { __typename } }';
    await runAs(app, sue, remove, { id });
    app.advance(366 * 86_400);
    expect(await read()).toMatchObject({ numberIsOld: true, passkeys: [] });
  });
});
