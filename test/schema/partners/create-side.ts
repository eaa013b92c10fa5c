import { Keypair } from '@solana/web3.js';
import { ArmedFailure } from '../../../src/entities/armed-failure.ts';
import { CLAIM_STATES, Claim } from '../../../src/entities/claim.ts';
import type { Client } from '../../../src/entities/client.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { KillSwitch } from '../../../src/entities/kill-switch.ts';
import { Listing } from '../../../src/entities/listing.ts';
import {
  Notification,
  NotificationAttempt,
  NotificationEndpoint,
  NotificationSecret,
} from '../../../src/entities/notification.ts';
import { PartnerProvider } from '../../../src/entities/partner-member.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { LoggedRequest, Traffic } from '../../../src/entities/request-log.ts';
import { editClient } from '../../../src/partners/client/edit-client.ts';
import { registerClient } from '../../../src/partners/client/register-client.ts';
import { takeClientStep } from '../../../src/partners/client/take-step.ts';
import { registerPartner } from '../../../src/partners/partner/register-partner.ts';
import { inviteMember } from '../../../src/people/workspace/invite-member.ts';
import { type Id, newId, type Uuid, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { createTestEvent } from '../../../src/sandbox/create-test-event.ts';
import { armFailure } from '../../../src/sandbox/failure/arm-failure.ts';
import { finishRun } from '../../../src/sandbox/go-live-check/finish-run.ts';
import { startCheck } from '../../../src/sandbox/go-live-check/start-check.ts';
import { attachRun, startRun } from '../../../src/sandbox/go-live-check/start-run.ts';
import { grantPermits, revokePermits } from '../../../src/sandbox/test-permits.ts';
import { createTestUsers } from '../../../src/sandbox/test-users.ts';
import { newMember } from '../../support/member-call.ts';
import type { TestApp } from '../../support/start-app.ts';

/** A partner with a full set of data. */
export type Side = Awaited<ReturnType<typeof createSide>>;

/** 44 characters of base58. */
export function address(): string {
  return crypto.randomUUID().replaceAll('-', '').replaceAll('0', 'z').padStart(44, 'P');
}

/** An endpoint that was disabled while its secret rotated, with a dead notification; and one that polls, for changes. */
function createNotifications({ em, now }: ServiceContext, client: Id<'client'>, ids: { grantId: Uuid; fanId: Uuid }) {
  const soon = new Date(now().getTime() + 3_600_000);
  const [endpoint, poller] = [newId('nep'), newId('nep')];
  const [sent, notification] = [newId('ntf'), newId('ntf')];
  const times = { createdAt: now(), lastDeliveredAt: now(), failingSince: now(), disabledAt: now() };
  const url = `https://${client.slice(-8)}.example/events`;
  const format = 'standard_webhooks' as const;
  const made = { id: endpoint, client, format, url, types: ['grant.revoked'] };
  em.create(NotificationEndpoint, { ...made, ...times, disabledReason: 'partner' });
  em.create(NotificationEndpoint, {
    id: poller,
    client,
    format: 'set_poll',
    types: ['grant.revoked'],
    createdAt: now(),
    lastPolledAt: now(),
    restUntil: soon,
  });
  em.create(NotificationSecret, { owner: `${endpoint}.old`, endpoint, createdAt: now(), expiresAt: soon });
  em.create(NotificationSecret, { owner: `${endpoint}.new`, endpoint, createdAt: now() });
  const body = { type: 'grant.revoked', data: { reason: 'expired' }, occurredAt: now(), dueAt: now(), expiresAt: soon };
  for (const [jti, to] of [
    [sent, endpoint],
    [notification, poller],
  ] as const) {
    const dead = { state: 'dead', endedAt: now(), failure: `of ${client}` } as const;
    const row = em.create(Notification, { jti, endpoint: to, lane: ids.grantId, ...ids, ...body, ...dead });
    const attempt = { at: now(), durationMs: 7, status: 500, failure: 'answered 500', answer: `for ${client}` };
    em.create(NotificationAttempt, { notification: row, ...attempt });
  }
  return { endpoints: { endpoint, poller }, notification };
}

/** Two who have joined, and one who is invited. */
async function createOthers(app: TestApp, partnerId: Id<'ptn'>, name: string) {
  const wish = { partnerId, name: `${name} Invited`, email: `invited-${name.toLowerCase()}@partner.example` };
  const invited = await inviteMember(app.context(), wish, 'system');
  const leaver = await newMember(app, partnerId, `${name} Leaver`);
  const colleague = await newMember(app, partnerId, `${name} Colleague`);
  return { invited: invited.id, leaver: leaver.id, colleague: colleague.id };
}

/** Everything that a partner can have, under names that begin with `name`. */
export async function createSide(app: TestApp, name: string) {
  const context = app.context();
  const { em, now } = context;
  const partner = await registerPartner(context, `${name} Ltd`, 'system');
  await em.flush();
  const member = await newMember(app, partner.id, `${name} Person`, 'administrator');
  const others = await createOthers(app, partner.id, name);
  const actor = `member:${member.id}`;
  const register = async (title: string, mode: Client['mode']) => {
    const redirectUris = [`https://${name.toLowerCase()}.example/${title}`];
    const client = registerClient(
      context,
      partner,
      {
        name: `${name} ${title}`,
        mode,
        redirectUris,
        scopes: ['openid'],
        marketplaces: [Keypair.generate().publicKey.toBase58()],
      },
      actor,
    );
    await em.flush();
    return client.id;
  };
  const sandbox = await register('sandbox', 'sandbox');
  const spare = await register('spare', 'sandbox');
  const draft = await register('draft', 'production');
  const inReview = await register('review', 'production');
  const approved = await register('approved', 'production');
  const fresh = () => app.context();
  const reason = `${name} says why`;
  await takeClientStep(fresh(), 'submit', { clientId: inReview, reason }, actor);
  await takeClientStep(fresh(), 'submit', { clientId: approved, reason }, actor);
  await takeClientStep(fresh(), 'withdraw', { clientId: approved, reason }, actor);
  const { version } = await takeClientStep(fresh(), 'submit', { clientId: approved, reason }, actor);
  const decided = await takeClientStep(fresh(), 'approve', { clientId: approved, reason, version }, 'staff:someone');
  const changes = {
    redirectUris: [`https://${name.toLowerCase()}.example/new`],
  };
  const edit = { clientId: approved, version: decided.version, changes, note: reason };
  const { version: approvedVersion } = await editClient(fresh(), edit, actor);
  const finished = await startRun(fresh(), sandbox, actor);
  await attachRun(fresh(), finished.id, approved, actor);
  await finishRun(fresh(), finished.id, actor);
  // the finished one is attached to the approved client; in this one a check is on
  const { id: goLiveCheck } = await startRun(fresh(), sandbox, actor);
  await startCheck(fresh(), goLiveCheck, 'ordinary-sign-in');
  const [first, second] = await createTestUsers(fresh(), { partnerId: partner.id, count: 2 }, actor);
  if (!first || !second) throw new Error('two were asked for');
  const { event, ticketTypes } = createTestEvent(
    context,
    {
      name: `${name} Gala`,
      venue: `${name} Hall`,
      startsAt: new Date(now().getTime() + 86_400_000),
      endsAt: new Date(now().getTime() + 90_000_000),
      ticketTypes: [`${name} Standing`],
      partner,
    },
    actor,
  );
  event.registeredAt = now();
  await em.flush();
  const ticketType = ticketTypes[0]?.id ?? ('' as Id<'typ'>);
  const fanIds = [first.fan.id, second.fan.id];
  const plan = { partnerId: partner.id, ticketTypeId: ticketType, fanIds };
  const [permit, revoked] = await grantPermits(fresh(), plan, actor);
  if (!permit || !revoked) throw new Error('two were granted');
  await revokePermits(fresh(), { permitIds: [revoked.id], reason }, actor);
  await em.nativeUpdate(Permit, { id: permit.id }, { issuedAt: now() });
  await armFailure(fresh(), sandbox, { failure: 'slow_answer', operation: 'tickets.list', seconds: 5 }, actor);
  await em.nativeUpdate(ArmedFailure, { client: sandbox }, { metAt: now() });
  await createClientKit(fresh(), { clientId: sandbox, requestKey: 'first' }, actor);
  const offer = { permit: permit.id, marketplace: address(), price: 5n, openedAt: now() };
  em.create(Listing, { ...offer, closedAt: now(), outcome: 'sold' });
  em.create(Listing, offer);
  const grantOf = (fan: Id<'usr'>, ended: boolean) =>
    em.create(ConsentGrant, {
      fan,
      client: sandbox,
      scope: 'openid',
      actions: [],
      consentedActions: [],
      mode: 'all_current_future',
      ticketIds: [],
      createdAt: now(),
      endsAfter: now(),
      ...(ended && { revokedAt: now() }),
    });
  const grant = grantOf(first.fan.id, false);
  grantOf(first.fan.id, true);
  const claim = { grant, permit: permit.id, signerWallet: address(), destinationWallet: address() };
  const times = { createdAt: now(), updatedAt: now() };
  for (const state of CLAIM_STATES.slice(1)) {
    const transaction = { transaction: 'ff', recentBlockhash: address(), signature: address() };
    em.create(Claim, { ...claim, ...transaction, state, ...times });
  }
  const request = crypto.randomUUID();
  const call = { method: 'GET', durationMs: 5, client: uuidOf('client', sandbox) };
  const read = { operation: 'tickets.list', status: 200, outcome: 'ok', grant: uuidOf('grant', grant.id) };
  em.create(LoggedRequest, { ...call, id: request, at: now(), ...read });
  const missing = { operation: 'claims.execute', status: 404, outcome: `${name.toLowerCase()}_ticket_not_found` };
  em.create(LoggedRequest, { ...call, id: crypto.randomUUID(), at: new Date(now().getTime() - 1_000), ...missing });
  const refusal = { operation: 'token.exchange', status: 400, outcome: 'invalid_request', message: 'code was revoked' };
  em.create(LoggedRequest, { ...call, id: crypto.randomUUID(), at: now(), ...refusal });
  const hour = new Date(Math.floor(now().getTime() / 3_600_000) * 3_600_000);
  const counted = { spanMinutes: 60, bucket: hour, client: uuidOf('client', sandbox), count: 3, totalMs: 15n };
  em.create(Traffic, { ...counted, operation: 'tickets.list', status: 200, outcome: 'ok' });
  em.create(Traffic, { ...counted, operation: 'listings.sign', status: 400, outcome: 'price_zero' });
  await em.execute(
    `insert into latency (span_minutes, bucket, client_id, operation, counts) values (60, ?, ?, 'tickets.list', '{1,2,3}')`,
    [hour, counted.client],
  );
  const kill = { kind: 'client', client: draft, reason, setBy: 'staff:someone', setAt: now() } as const;
  em.create(KillSwitch, kill);
  const provider = { issuer: `https://${name.toLowerCase()}.example`, clientId: name, secretOwner: partner.id };
  // so that one partner has one, and the other does not
  if (name === 'Other') em.create(PartnerProvider, { partner, ...provider, setAt: now(), setBy: 'staff:someone' });
  const { endpoints, notification } = createNotifications(context, sandbox, {
    grantId: uuidOf('grant', grant.id),
    fanId: uuidOf('usr', first.fan.id),
  });
  await em.flush();
  return {
    ...endpoints,
    notification,
    name,
    partner: partner.id,
    member,
    ...others,
    sandbox,
    spare,
    draft,
    inReview,
    approved,
    approvedVersion,
    event: event.id,
    ticketType,
    testUser: second.fan.id,
    goLiveCheck,
    permit: permit.id,
    revokedPermit: revoked.id,
    request,
  };
}
