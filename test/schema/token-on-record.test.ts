import { expect, test } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { newId } from '../../src/identifier/type-id.ts';
import { RIGHT_NAMES, type SignedInStaff } from '../../src/staff/rights.ts';
import { signIn } from '../support/partner.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();

/** Runs one mutation. @returns what it brought */
async function act(staff: SignedInStaff, call: string, brought: string, selection: string) {
  const document = `mutation { answer: ${call} { ... on ${brought} { ${selection} } ... on Refusal { message } } }`;
  const { answer } = await runAs<{ answer: Record<string, unknown> }>(app, staff, document);
  expect(answer).not.toHaveProperty('message');
  return answer;
}

/** What support does in a day. */
async function work(staff: SignedInStaff, name: string): Promise<void> {
  const partner = await act(staff, `registerPartner(name: "${name}")`, 'Partner', 'id');
  await act(staff, `renamePartner(partnerId: "${partner.id}", name: "${name} Ltd")`, 'Partner', 'id');
  const registration = `{ name: "Box", mode: SANDBOX, redirectUris: ["http://localhost:4000/cb"], scopes: ["openid"] }`;
  const client = await act(
    staff,
    `registerClient(partnerId: "${partner.id}", registration: ${registration})`,
    'Client',
    'id version',
  );
  const edit = `editClient(clientId: "${client.id}", version: ${client.version}, changes: { name: "Box 2" })`;
  await act(staff, edit, 'Client', 'id');
  const made = await act(
    staff,
    `createTestUsers(partnerId: "${partner.id}", count: 2)`,
    'CreatedTestUsers',
    'testUsers { id }',
  );
  const [user] = made.testUsers as { id: string }[];
  const times = 'startsAt: "2027-05-01T18:00:00Z", endsAt: "2027-05-01T22:00:00Z"';
  const event = await act(
    staff,
    `createTestEvent(input: { name: "Gala", ${times}, ticketTypes: ["Seat"] })`,
    'Event',
    'ticketTypes { id }',
  );
  const [type] = event.ticketTypes as { id: string }[];
  const grant = `grantPermits(partnerId: "${partner.id}", fanIds: ["${user?.id}"], ticketTypeId: "${type?.id}")`;
  const { permits } = await act(staff, grant, 'PermitsChanged', 'permits { id }');
  const permitIds = `permitIds: ["${(permits as { id: string }[])[0]?.id}"]`;
  await act(staff, `revokePermits(${permitIds}, reason: "Wrong")`, 'PermitsChanged', 'permits { id }');
  await act(staff, `restorePermits(${permitIds})`, 'PermitsChanged', 'permits { id }');
  await act(staff, `revealPhone(fanId: "${user?.id}", reason: "Call back")`, 'RevealedPhone', 'phone');
  const { grant_id } = await signIn(app);
  await act(staff, `revokeGrant(grantId: "${grant_id}", reason: "Asked by phone")`, 'Grant', 'id');
  const reset = `resetSandbox(partnerId: "${partner.id}", confirm: "${name} Ltd", keepTestUsers: false)`;
  await act(staff, reset, 'SandboxReset', 'permits');
}

const entriesOf = (staff: SignedInStaff) => app.context().em.find(AuditEntry, { actor: `staff:${staff.id}` });

test('what a token does, or tries to, is on record with the token', async () => {
  const person = await newStaff(app);
  const token = { ...person, authenticatedAt: null, scopes: [...RIGHT_NAMES], tokenId: newId('stk') };
  await work(token, 'Encore');
  await runAs(app, token, 'mutation { rotateKeys { __typename } }');
  const entries = await entriesOf(person);
  expect(new Set(entries.map(({ action }) => action)).size).toBeGreaterThan(12);
  for (const { action, details } of entries)
    expect({ action, ...details }).toMatchObject({ staffToken: token.tokenId });
});

test('what a person does in the console names no token', async () => {
  const person = await newStaff(app);
  await work(person, 'Interval');
  const entries = await entriesOf(person);
  expect(entries.length).toBeGreaterThan(12);
  for (const { details } of entries) expect(details).not.toHaveProperty('staffToken');
});
