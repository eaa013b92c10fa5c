import { defineEntity, p } from '@mikro-orm/core';
import type { Id, Uuid } from '../platform/identifier/type-id.ts';
import { primaryId, TypeIdColumn } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { sealedWith } from './sealed-with.ts';
import { sqlIndex } from './sql-index.ts';

/** How a client's notifications reach it: RFC 8935, RFC 8936, or Standard Webhooks. */
export const NOTIFICATION_FORMATS = ['set_push', 'set_poll', 'standard_webhooks'] as const;
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** What a client can be notified of. Not an `Event`, which tickets are for. */
export const NOTIFICATION_TYPES = [
  'grant.revoked',
  'grant.actions_changed',
  'grant.tickets_changed',
  'ticket.moved',
  'claim.settled',
  'listing.ended',
] as const;
/** A test, which a member of the partner asks for, goes to every endpoint. */
export const TEST_TYPE = 'endpoint.test';
export type NotificationType = (typeof NOTIFICATION_TYPES)[number] | typeof TEST_TYPE;

/** Who or what disabled an endpoint: its partner, three days of failures, or its own answer 410. */
export const DISABLED_REASONS = ['partner', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const NOTIFICATION_STATES = ['waiting', 'delivered', 'dead'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** Where a client gets notifications. */
const NotificationEndpointSchema = defineEntity({
  name: 'NotificationEndpoint',
  properties: {
    id: primaryId('nep'),
    client: () => p.manyToOne(Client).index(),
    format: p.enum(NOTIFICATION_FORMATS),
    /** Null for `set_poll`. */
    url: p.string().length(500).nullable(),
    /** Of `NOTIFICATION_TYPES`. */
    types: p.array(),
    createdAt: p.datetime(),
    /** Nothing is recorded for it or sent from then on. */
    disabledAt: p.datetime().nullable(),
    disabledReason: p.enum(DISABLED_REASONS).nullable(),
    /** Staff have paused it: notifications wait. */
    pausedAt: p.datetime().nullable(),
    pausedBy: p.string().length(120).nullable(),
    pauseReason: p.text().nullable(),
    /** Attempts that failed since the last success. */
    failures: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    /** Nothing is sent before. */
    restUntil: p.datetime().nullable(),
    lastDeliveredAt: p.datetime().nullable(),
    /** For `set_poll`, to the minute. */
    lastPolledAt: p.datetime().nullable(),
    /** The process that sends its notifications. */
    leasedBy: p.string().length(60).nullable(),
    leasedUntil: p.datetime().nullable(),
  },
});

export class NotificationEndpoint extends NotificationEndpointSchema.class {}
NotificationEndpointSchema.setClass(NotificationEndpoint);

/** A secret of an endpoint. Two are valid while the partner changes from one to the other. */
const NotificationSecretSchema = defineEntity({
  name: 'NotificationSecret',
  indexes: [
    sqlIndex(
      'notification_secret_sealed',
      'on notification_secret (sealed_with, owner) where sealed_secret is not null',
    ),
  ],
  properties: {
    /** As the sealed secret names it: the endpoint, and a random part. */
    owner: p.string().length(80).primary(),
    endpoint: () => p.manyToOne(NotificationEndpoint).deleteRule('cascade').index(),
    /** For `standard_webhooks`: the key of its signatures. */
    sealedSecret: p.text().nullable().hidden(),
    sealedWith: sealedWith(),
    /** For `set_poll`: the hash of its token. */
    secretHash: p.string().length(43).nullable().unique(),
    createdAt: p.datetime(),
    /** Null until it is rotated. */
    expiresAt: p.datetime().nullable(),
  },
});

export class NotificationSecret extends NotificationSecretSchema.class {}
NotificationSecretSchema.setClass(NotificationSecret);

/** An event for an endpoint. Triggers write it in the transaction of the change that it reports. */
const NotificationSchema = defineEntity({
  name: 'Notification',
  indexes: [
    // of waiting rows, with the condition worded differently in each: a statement can use only the index whose condition it repeats (D-337)
    sqlIndex('notification_due', `on notification (endpoint_id, due_at, id) where state = 'waiting'`),
    sqlIndex('notification_in_lane', 'on notification (endpoint_id, lane, id) where ended_at is null'),
    sqlIndex('notification_expires', `on notification (expires_at) where state not in ('delivered', 'dead')`),
    sqlIndex('notification_ended', `on notification (ended_at) where state <> 'waiting'`),
    { properties: ['endpoint', 'state', 'id'] },
    { properties: ['endpoint', 'id'] },
  ],
  checks: [{ name: 'notification_ended', expression: `(state = 'waiting') = (ended_at is null)` }],
  properties: {
    /** In the order in which they were written. */
    id: p.bigint().primary().autoincrement(),
    /** `jti` of the Security Event Token, `webhook-id` of the webhook: the same in every attempt. */
    jti: p.type(new TypeIdColumn('ntf')).$type<Id<'ntf'>>().unique(),
    endpoint: () => p.manyToOne(NotificationEndpoint).deleteRule('cascade').index(false),
    /** The grant, or a lane of its own. Notifications of a lane are sent one after the other. */
    lane: p.uuid().$type<Uuid>(),
    /** Null for a test. */
    grantId: p.uuid().$type<Uuid>().nullable(),
    fanId: p.uuid().$type<Uuid>().nullable(),
    type: p.string().length(40),
    /** Identifiers and states only, as the trigger of its type writes them. */
    data: p.json<Record<string, unknown>>(),
    occurredAt: p.datetime(),
    state: p.enum(NOTIFICATION_STATES).default('waiting'),
    /** Attempts since it was written or replayed. */
    attempts: p.integer().default(0),
    dueAt: p.datetime(),
    /** Dead from then on. */
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    /** Why it is dead. */
    failure: p.string().length(300).nullable(),
  },
});

export class Notification extends NotificationSchema.class {}
NotificationSchema.setClass(Notification);

/** An attempt to deliver a notification. */
const NotificationAttemptSchema = defineEntity({
  name: 'NotificationAttempt',
  properties: {
    id: p.bigint().primary().autoincrement(),
    notification: () => p.manyToOne(Notification).deleteRule('cascade').index(),
    at: p.datetime(),
    durationMs: p.integer(),
    /** Null where no answer came. */
    status: p.smallint().nullable(),
    /** Why no answer came, or why it counts as a failure; null after a success. */
    failure: p.string().length(300).nullable(),
    /** The beginning of the answer's body. */
    answer: p.string().length(1024).nullable(),
  },
});

export class NotificationAttempt extends NotificationAttemptSchema.class {}
NotificationAttemptSchema.setClass(NotificationAttempt);
