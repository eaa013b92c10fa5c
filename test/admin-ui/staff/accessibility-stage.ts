import { Claim } from '../../../src/entities/claim.ts';
import { Event } from '../../../src/entities/event.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { FormerNumber } from '../../../src/entities/former-number.ts';
import { Listing, ListingSignature } from '../../../src/entities/listing.ts';
import { Passkey } from '../../../src/entities/passkey.ts';
import { Permit, UnreadPermit } from '../../../src/entities/permit.ts';
import { Proposal } from '../../../src/entities/proposal.ts';
import { LoggedRequest } from '../../../src/entities/request-log.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { addEndpoint } from '../../../src/partners/notification/change-endpoint.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { eventRow, ticketRow, typeRow } from '../../src/inventory/stage.ts';
import { clientAt, edit } from '../../src/partners/client/production-client.ts';
import { DAY } from '../../src/sign-in/verification/long-unused.ts';
import { asNdjson, importBody, importToken } from '../../support/import-calls.ts';
import { callFan, signIn, type Tokens } from '../../support/partner.ts';
import { enableProductionClient, giveTicket } from '../../support/production.ts';
import type { TestApp } from '../../support/start-app.ts';
import { kitPartner } from '../../support/workspace.ts';

/** Something to see in every view of the console. */

/** A production client that was approved, edited since, and waits once more: there is something to see in every part. */
export async function reviewedTwice(app: TestApp): Promise<string> {
  const { id } = await clientAt(app, 'approved');
  await edit(app, id, { redirectUris: ['https://encore.example/new'], name: 'Encore 2' });
  await setKillSwitch(app.context(), { kind: 'sms_country', country: 'US' }, 'A flood of codes.', 'system');
  return id;
}

/** A sandbox with two starter kits, an endpoint for events, and a permit that can't be read. */
export async function filledSandbox(app: TestApp) {
  const { em, now } = app.context();
  const clientId = app.kit.client_id as Id<'client'>;
  for (const requestKey of ['one', 'two']) await createClientKit(app.context(), { clientId, requestKey }, 'system');
  await addEndpoint(app.context(), clientId, { format: 'set_poll', types: ['grant.revoked'] }, 'system');
  const { id: partnerId } = await kitPartner(app);
  const [unread] = await em.find(Permit, {}, { limit: 1, orderBy: { id: 'desc' } });
  if (!unread) throw new Error('the starter kit has permits');
  const retryAt = new Date(now().getTime() + 600_000);
  em.create(UnreadPermit, { permit: unread, reason: 'Permit state 7', since: now(), tries: 6, slot: 7n, retryAt });
  await em.flush();
  return { clientId, partnerId, unreadId: unread.id };
}

/** A test user with a grant, a listing, a signature, a claim that is not settled, and a proposal; and calls of the client. */
export async function busyFan(app: TestApp) {
  const tokens: Tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
  await callFan(app, '/tickets', tokens.access_token);
  await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
  await app.runtime.activity.flush();
  const { em, now } = app.context();
  const [fan] = app.kit.test_users;
  const [permit] = await em.find(
    Permit,
    { ticket: { owner: knownId('usr', fan?.id ?? '') } },
    { limit: 1, orderBy: { id: 'asc' } },
  );
  if (!permit || !fan) throw new Error('the starter kit has permits and test users');
  const marketplace = 'M'.repeat(44);
  const listing = em.create(Listing, { permit, price: 2_500_000_000n, openedAt: now(), marketplace });
  const sentence = 'List a ticket for 2500000000 lamports.';
  const signature = { messageHash: 'h'.repeat(43), action: 'list', sentence, signedAt: now() } as const;
  em.create(ListingSignature, { ...signature, permit, grant: tokens.grant_id });
  const claim = em.create(Claim, {
    grant: tokens.grant_id,
    permit,
    signature: 'C'.repeat(88),
    transaction: '00',
    recentBlockhash: 'b'.repeat(44),
    signerWallet: 'S'.repeat(44),
    destinationWallet: 'D'.repeat(44),
    state: 'submitted',
    setAside: 'its permit could not be read',
    attempts: 3,
    nextAttemptAt: new Date(now().getTime() + 150_000),
    createdAt: now(),
    updatedAt: now(),
  });
  const statement = { statement: 'I hold the key.', signature: 'S'.repeat(88) };
  const proposal = em.create(Proposal, {
    kind: 'permit.move_out',
    subject: permit.id,
    details: { fanId: fan.id, destination: 'D'.repeat(44), ...statement },
    reason: 'The fan leaves.',
    proposedBy: 'staff:nobody',
    proposedAt: now(),
    expiresAt: new Date(now().getTime() + 3_600_000),
    state: 'proposed',
  });
  await em.flush();
  const request = await em.findOneOrFail(LoggedRequest, { status: 403 }, { orderBy: { id: 'desc' } });
  const around = { permitId: permit.id, listingId: listing.id, claimId: claim.id, proposalId: proposal.id };
  return { fan, grantId: tokens.grant_id, requestId: request.id, ...around };
}

export const LONG_UNUSED = '+447400123456';

/** A production fan whose number asks for more than a code, with a number before, and passkeys. */
export async function longUnusedFan(app: TestApp): Promise<Fan> {
  await enableProductionClient(app);
  const fan = await registerFan(app.context(), 'production', LONG_UNUSED);
  await giveTicket(app, fan);
  const { em, now } = app.context();
  const ago = (days: number) => new Date(now().getTime() - days * DAY * 1000);
  await em.nativeUpdate(Fan, { id: fan.id }, { numberProvedAt: ago(366), numberVouchedAt: ago(500) });
  em.create(FormerNumber, { fan: fan.id, phone: '+447400555777', reason: 'changed_by_fan', givenUpAt: ago(150) });
  const device = { publicKey: 'AA', counter: 0, transports: ['internal'], rpId: 'localhost' };
  for (const name of ['Chrome on Android', 'Safari on iPhone'])
    em.create(Passkey, { fan: fan.id, credentialId: name, name, ...device, createdAt: ago(120) });
  await em.flush();
  return fan;
}

/** An import of which a row failed. */
export async function importedEvent(app: TestApp) {
  const rows = [
    eventRow('gala', { name: 'Gala' }),
    typeRow('gala', 'all'),
    ticketRow('gala', 'all', 'G-1'),
    ticketRow('none', 'all', 'G-2'),
  ];
  const { run } = await importBody(app, await importToken(app), asNdjson(rows), '?name=gala.ndjson');
  const { em } = app.context();
  const event = await em.findOneOrFail(Event, { reference: 'gala' });
  const ticket = await em.findOneOrFail(Ticket, { reference: 'G-1' });
  return { run, eventId: event.id, ticketId: ticket.id };
}
