import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Keypair } from '@solana/web3.js';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import type { Chain } from '../../src/chain/chains.ts';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { CodeBreaker } from '../../src/entities/code-limits.ts';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { CustodyMove } from '../../src/entities/custody-move.ts';
import type { Fan } from '../../src/entities/fan.ts';
import { ImportRun } from '../../src/entities/import-run.ts';
import { Listing } from '../../src/entities/listing.ts';
import { Passkey } from '../../src/entities/passkey.ts';
import { Permit } from '../../src/entities/permit.ts';
import { addEndpoint } from '../../src/partners/notification/change-endpoint.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { sessionIdOf } from '../../src/people/account/sessions.ts';
import { hashOf } from '../../src/platform/identifier/secret-value.ts';
import { type Id, newId } from '../../src/platform/identifier/type-id.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { ticketRow } from '../src/inventory/stage.ts';
import { png } from '../src/partners/client/logo-images.ts';
import { longUnused, proveNumber } from '../src/sign-in/verification/long-unused.ts';
import { asNdjson, IMPORT_ENV, importBody, importToken } from '../support/import-calls.ts';
import { newSession } from '../support/new-session.ts';
import { startProvider } from '../support/oidc-provider.ts';
import { login, signIn } from '../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../support/production.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

let ada: SignedInStaff;
let bob: SignedInStaff;
const app = await testApp({ env: IMPORT_ENV });
beforeAll(async () => {
  // what is brought onto the chain in the background is not what is looked at here
  const { sandbox: _, ...chains } = app.runtime.chains;
  app.runtime.chains = chains;
  // rights that need a fresh sign-in are for no token: a session with the mark of one
  [ada, bob] = [await newStaff(app), await newStaff(app)];
  ada.tokenId = newId('stk');
  // a code that blames no row: an import would try the rows one by one
  await execute(`create function refuse_entry() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is closed' using errcode = '38000'; end $$`);
});

const execute = (sql: string) => app.context().em.execute(sql);

/** But the inbox of development: an e-mail that was sent can't be taken back. */
const tables = () =>
  app.context().em.execute<{ name: string }[]>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'inbox_mail' order by 1`,
  );

/** All that the database holds, table by table. */
async function contents(): Promise<Record<string, string>> {
  // else the log of an earlier request could be written between two looks at the tables
  await app.runtime.activity.flush();
  const each = (await tables()).map(
    ({ name }) =>
      `select '${name}' as name, coalesce(md5(string_agg(r::text, '' order by r::text)), '') as held from ${name} r`,
  );
  const rows = await app.context().em.execute<{ name: string; held: string }[]>(each.join(' union all '));
  return Object.fromEntries(rows.map(({ name, held }) => [name, held]));
}

const entryCount = () => app.context().em.count(AuditEntry, {});
const tried = new Set<string>();

/** Runs a mutation whose entry fails at the commit, which must leave nothing, and then as it is meant. @returns what it brought */
async function act(call: string, brought = '', as = ada): Promise<Record<string, unknown>> {
  const name = call.split('(')[0] ?? '';
  tried.add(name);
  const document = `mutation { answer: ${call} { __typename ${brought} ... on Refusal { message } } }`;
  await execute(`create constraint trigger closed after insert on audit_entry
    deferrable initially deferred for each row execute function refuse_entry()`);
  const before = await contents();
  await expect.soft(runAs(app, as, document), name).rejects.toThrow('the audit log is closed');
  expect.soft(await contents(), name).toEqual(before);
  await execute('drop trigger closed on audit_entry');
  const entries = await entryCount();
  const { answer } = await runAs<{ answer: Record<string, unknown> }>(app, as, document);
  expect(answer, name).not.toHaveProperty('message');
  expect.soft(await entryCount(), name).toBeGreaterThan(entries);
  await expectToken(name);
  return answer;
}

/** What is done with a token is on record with it, and what a person does in the console names none. */
async function expectToken(name: string): Promise<void> {
  for (const { id: person, tokenId } of [ada, bob]) {
    const written = await app.context().em.find(AuditEntry, { actor: `staff:${person}` });
    for (const { action, details } of written) expect.soft(details.staffToken, `${name}: ${action}`).toBe(tokenId);
  }
}

const id = (of: unknown) => String((of as { id?: unknown } | undefined)?.id);
const REASON = 'reason: "Because"';

async function atClients(partnerId: string): Promise<void> {
  const registration = (mode: string) =>
    `{ name: "Box ${mode}", mode: ${mode}, redirectUris: ["https://box.example/cb"], scopes: ["openid"] }`;
  const register = (mode: string) =>
    act(
      `registerClient(partnerId: "${partnerId}", registration: ${registration(mode)})`,
      '... on Client { id version }',
    );
  const sandbox = await register('SANDBOX');
  await act(`editClient(clientId: "${id(sandbox)}", version: ${sandbox.version}, changes: { name: "Other" })`);
  await act(`setClientLogo(clientId: "${id(sandbox)}", base64: "${png().toString('base64')}")`);
  await act(`removeClientLogo(clientId: "${id(sandbox)}")`);
  await act(`createStarterKit(clientId: "${id(sandbox)}", requestKey: "1")`);
  const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
  const { endpoint } = await addEndpoint(app.context(), id(sandbox) as Id<'client'>, wish, 'system');
  await act(`pauseNotificationEndpoint(endpointId: "${endpoint.id}", ${REASON})`);
  await act(`resumeNotificationEndpoint(endpointId: "${endpoint.id}", ${REASON})`);
  await act(`armFailure(clientId: "${id(sandbox)}", failure: UNAVAILABLE)`);
  await act(`disarmFailure(clientId: "${id(sandbox)}", failure: UNAVAILABLE)`);
  await act(`armFailure(clientId: "${id(sandbox)}", failure: CLOCK_AHEAD)`);
  await act(`endSimulation(clientId: "${id(sandbox)}")`);
  const clientId = `clientId: "${id(await register('PRODUCTION'))}"`;
  const submit = () => act(`submitClient(${clientId}, note: "Please")`, '... on ClientReview { client { version } }');
  const version = async () => ((await submit()).client as { version: number }).version;
  await submit();
  await act(`withdrawReview(${clientId}, ${REASON})`);
  await act(`rejectClient(${clientId}, version: ${await version()}, ${REASON})`);
  const approved = await act(
    `approveClient(${clientId}, version: ${await version()}, ${REASON})`,
    '... on Client { version reviews { id } }',
    bob,
  );
  const changes = 'changes: { scopes: ["openid", "profile"] }, note: "More"';
  const edited = await act(
    `editClient(${clientId}, version: ${approved.version}, ${changes})`,
    '... on Client { version }',
  );
  const seen = await act(
    `approveClient(${clientId}, version: ${edited.version}, ${REASON})`,
    '... on Client { version }',
    bob,
  );
  const [first] = approved.reviews as { id: string }[];
  await act(`restoreRegistration(${clientId}, reviewId: "${id(first)}", version: ${seen.version}, ${REASON})`);
  await act(`enableClient(${clientId}, ${REASON})`, '', bob);
  await act(`suspendClient(${clientId}, ${REASON})`);
}

async function atTestData(partnerId: string): Promise<void> {
  const made = await act(
    `createTestUsers(partnerId: "${partnerId}", count: 1)`,
    '... on CreatedTestUsers { testUsers { id } }',
  );
  const [user] = made.testUsers as { id: string }[];
  const times = 'startsAt: "2027-05-01T18:00:00Z", endsAt: "2027-05-01T22:00:00Z"';
  const event = await act(
    `createTestEvent(input: { name: "Gala", ${times}, ticketTypes: ["Seat"] })`,
    '... on Event { ticketTypes { id } }',
  );
  const [type] = event.ticketTypes as { id: string }[];
  const grant = `grantPermits(partnerId: "${partnerId}", fanIds: ["${id(user)}"], ticketTypeId: "${id(type)}")`;
  const { permits } = await act(grant, '... on PermitsChanged { permits { id } }');
  const permitIds = `permitIds: ["${id((permits as { id: string }[])[0])}"]`;
  await act(`revokePermits(${permitIds}, ${REASON})`);
  await act(`restorePermits(${permitIds})`);
  await act(`revealPhone(fanId: "${id(user)}", ${REASON})`);
  await act(`resetSandbox(partnerId: "${partnerId}", confirm: "Second", keepTestUsers: false)`);
}

async function atMembers(partnerId: string): Promise<void> {
  const wish = `partnerId: "${partnerId}", name: "Mia", email: "mia@partner.example"`;
  const member = await act(`invitePartnerMember(${wish})`, '... on PartnerMember { id }');
  await act(`resendPartnerInvitation(memberId: "${id(member)}")`);
  await act(`setPartnerMemberRole(memberId: "${id(member)}", role: ADMINISTRATOR)`);
  await act(`endPartnerMemberSessions(memberId: "${id(member)}", ${REASON})`);
  await act(`revokePartnerMember(memberId: "${id(member)}", ${REASON})`);
  const provider = await startProvider();
  provider.register('http://partners.example');
  await act(`setPartnerProvider(partnerId: "${partnerId}", issuer: "${provider.issuer}", clientId: "console")`);
  await act(`removePartnerProvider(partnerId: "${partnerId}")`);
  await provider.stop();
}

async function atStaff(): Promise<void> {
  const { staff } = await act('createStaffLink(name: "Cleo", role: SUPPORT)', '... on StaffLink { staff { id } }');
  await act(`renewStaffLink(id: "${id(staff)}")`);
  await act(`setStaffRole(id: "${id(staff)}", role: REVIEWER, ${REASON})`);
  await act(`endStaffSessions(id: "${id(staff)}", ${REASON})`);
  await act(`disableStaff(id: "${id(staff)}", ${REASON})`);
  await act(`enableStaff(id: "${id(staff)}")`);
  const { token } = await act(
    'createStaffToken(name: "T", scopes: ["console:read"], days: 1)',
    '... on CreatedStaffToken { token { id } }',
  );
  await act(`revokeStaffToken(id: "${id(token)}")`);
  const secret = await newSession(app, ada.id);
  await act(`endMySession(id: "${sessionIdOf(hashOf(secret))}")`);
}

/** A cluster on which nobody has the wallet yet is all that is asked of it. */
async function atProposals(): Promise<void> {
  const { chains } = app.runtime;
  const sandbox = { gateway: { account: async () => undefined } } as unknown as Chain;
  app.runtime.chains = { ...chains, sandbox };
  const permit = await app.context().em.findOneOrFail(Permit, { revokedAt: null }, { orderBy: { id: 'asc' } });
  await app.context().em.nativeUpdate(Permit, { id: permit.id }, { issuedAt: new Date() });
  const wallet = Keypair.generate();
  const about = `permitId: "${permit.id}", destination: "${wallet.publicKey.toBase58()}"`;
  const { text } = await runAs<{ text: string }>(app, ada, `{ text: statementToSign(${about}) }`);
  const signature = signEd25519Sync(wallet.secretKey.subarray(0, 32), Buffer.from(text));
  const signed = `statement: "${text}", signature: "${Buffer.from(signature).toString('base64')}"`;
  const proposal = async () =>
    `proposalId: "${id(await act(`proposeMoveOut(${about}, ${signed}, ${REASON})`, '... on Proposal { id }'))}"`;
  await act(`withdrawProposal(${await proposal()}, ${REASON})`);
  await act(`declineProposal(${await proposal()}, ${REASON})`, '', bob);
  await act(`approveProposal(${await proposal()}, ${REASON})`, '', bob);
  const move = await app.context().em.findOneOrFail(CustodyMove, { state: 'open' });
  Object.assign(sandbox.gateway, {
    permits: async () => [{ owner: move.fromWallet, state: 'held', marketplace: null, price: 0n, slot: 1 }],
  });
  await act(`giveUpMove(moveId: "${move.id}", ${REASON})`, '', bob);
  app.runtime.chains = chains;
}

async function atServiceAccounts(): Promise<void> {
  const made = await act(
    'createServiceAccount(name: "Box office", scopes: ["inventory:write"], days: 1, callsPerMinute: 60)',
    '... on NewServiceToken { account { id } }',
  );
  const accountId = `accountId: "${id(made.account)}"`;
  await act(`rotateServiceToken(${accountId}, days: 1, overlapHours: 1)`);
  await act(`disableServiceAccount(${accountId}, ${REASON})`);
}

async function atInventory(): Promise<void> {
  const times = 'startsAt: "2030-05-01T18:00:00Z", endsAt: "2030-05-01T22:00:00Z"';
  await act(`upsertEvents(rows: [{ reference: "gala", name: "Gala", ${times} }])`);
  await act('upsertTicketTypes(rows: [{ event: "gala", reference: "seat", name: "Seat" }])');
  const ticket = 'event: "gala", ticketType: "seat", reference: "1", holderPhone: "+12025550123"';
  await act(`upsertTickets(rows: [{ ${ticket} }])`);
  const { run } = await importBody(app, await importToken(app), asNdjson([ticketRow('none', 'none', '2')]));
  await act(`rerunFailures(runId: "${run}")`);
  await expect.poll(() => app.context().em.count(ImportRun, { state: 'running' })).toBe(0);
  const row = '{ _line: 1, kind: "ticket", reference: "2", ticket_type: "none", event: "none" }';
  await act(`mendFailures(runId: "${run}", rows: [${row}], ${REASON})`);
  // else its end could be written between two looks at the tables
  await expect.poll(() => app.context().em.count(ImportRun, { state: 'running' })).toBe(0);
}

/** Ends with a clock that is 366 days ahead. */
async function atFans(): Promise<void> {
  const owner = { app, client: await enableProductionClient(app), codeFor: readCodesFromLog(app) };
  const fan = await longUnused(owner, '+14045555000');
  const started = await proveNumber(owner, '+14045555000');
  const { code } = await login<{ code: string }>(app, started, 'continuity.askSupport');
  await act(`proposeReopen(code: "${code}", ${REASON})`);
  await proveNumber(owner, '+14045555001');
  await act(`proposeNumberChange(fanId: "${fan.id}", phone: "+14045555001", ${REASON})`);
  await act(`proposeFanCopy(fanId: "${fan.id}", ${REASON})`);
  const unused = await registerFan(app.context(), 'production', '+14045555002');
  await act(`proposeFanDeletion(fanId: "${unused.id}", ${REASON})`);
  const passkeyId = newId('pky');
  const passkey = { credentialId: 'credential', publicKey: 'key', counter: 0, transports: [], rpId: 'localhost' };
  await app.context().em.insert(Passkey, { id: passkeyId, fan, name: 'Phone', createdAt: new Date(), ...passkey });
  await act(`removePasskey(passkeyId: "${passkeyId}", ${REASON})`);
}

/** A ticket of the fan, as if it had been seen on sale. */
async function ticketOnSale(owner: Fan['id']): Promise<string> {
  const { em, now } = app.context();
  const [permit] = await em.find(Permit, { ticket: { owner } }, { limit: 1 });
  if (!permit) throw new Error('the fan has a ticket');
  await em.insert(Listing, { id: newId('lst'), permit, marketplace: permit.tixPermitId, price: 1n, openedAt: now() });
  return permit.ticket.id;
}

test('a change and its audit entry are written together, or neither is: for every mutation', async () => {
  const partner = await act('registerPartner(name: "First")', '... on Partner { id }');
  await act(`renamePartner(partnerId: "${id(partner)}", name: "Second")`);
  await atClients(id(partner));
  await atTestData(id(partner));
  await atMembers(id(partner));
  await atStaff();
  await atProposals();
  const { grant_id } = await signIn(app);
  await act(`revokeGrant(grantId: "${grant_id}", ${REASON})`);
  const grant = await app.context().em.findOneOrFail(ConsentGrant, { id: (await signIn(app)).grant_id as never });
  await act(`takeOffSale(ticketId: "${await ticketOnSale(grant.fan.id)}", ${REASON})`);
  await act(`endAllAccess(fanId: "${grant.fan.id}", ${REASON})`);
  await act(`signOutFan(fanId: "${grant.fan.id}", ${REASON})`);
  await act(`setKillSwitch(kind: CO_SIGNING, ${REASON})`);
  await act(`liftKillSwitch(kind: CO_SIGNING, ${REASON})`);
  await act('rotateKeys');
  const { em, now } = app.context();
  const times = { openedAt: now(), retryAt: new Date(now().getTime() + 3_600_000) };
  await em.insert(CodeBreaker, { scope: 'FR', ...times, trips: 1, trials: 0, verified: 0 });
  await act(`retryVerification(country: "FR", ${REASON})`);
  await atServiceAccounts();
  await atInventory();
  await atFans();

  expect([...tried].sort()).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort());
});
