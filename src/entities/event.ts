import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { MODES } from '../platform/mode.ts';
import { Partner } from './partner.ts';
import { sqlIndex } from './sql-index.ts';

/** An event that tickets are for. */
const EventSchema = defineEntity({
  name: 'Event',
  indexes: [
    { properties: ['startsAt', 'id'] },
    sqlIndex('event_cancelled', 'on event (id) where cancelled_at is not null'),
    { properties: ['endsAt'] },
    sqlIndex('event_of_sandbox', `on event (partner_id, id) where mode = 'sandbox'`),
    sqlIndex('event_by_name', 'on event (lower(name), id)'),
    sqlIndex('event_permits_due', 'on event (permits_due_at) where permits_due_at is not null'),
    sqlIndex('event_grants_due', 'on event (ends_at) where grants_narrowed_at is null or grants_narrowed_at < ends_at'),
    sqlIndex('event_resale_due', 'on event (resale_until) where resale_until is not null and resale_ended_at is null'),
    sqlIndex('event_to_register', 'on event (mode, id) where registered_at is null'),
    sqlIndex('event_close_sent', 'on event (mode, id) where close_sent_at is not null and closed_at is null'),
    sqlIndex('event_to_close', 'on event (mode, ends_at) where closed_at is null and registered_at is not null'),
  ],
  properties: {
    /** The `svc_event_id` of the Fan API. */
    id: primaryId('evt'),
    mode: p.enum(MODES),
    /** Sandbox: the only partner that may use it; null for every partner, and in production. */
    partner: () => p.manyToOne(Partner).nullable().deleteRule('restrict').index(),
    name: p.string().length(200),
    venue: p.string().length(200).nullable(),
    startsAt: p.datetime(),
    /** IANA name of the venue's time zone, in which people read the event's times. */
    timeZone: p.string().length(64).default('UTC'),
    /** Tickets are listed until then. */
    endsAt: p.datetime(),
    /** Address of the onchain Event account, base58: the `tix_event_id` of the Fan API. */
    tixEventId: p.string().length(44).unique(),
    createdAt: p.datetime(),
    /** When the Event account was seen on the chain; null until then. */
    registeredAt: p.datetime().nullable(),
    /** The company's own reference; null for a test event. */
    reference: p.string().length(200).nullable().unique(),
    /** From then on its tickets are hidden. */
    cancelledAt: p.datetime().nullable(),
    /** Version time of the newest row of the company that was applied; null where rows have none. */
    sourceUpdatedAt: p.datetime().nullable(),
    /** Since when its permits wait to be withdrawn or restored after it was cancelled or reinstated. */
    permitsDueAt: p.datetime().nullable(),
    /** Its tickets can be resold until then; null: until it ends. */
    resaleUntil: p.datetime().nullable(),
    /** When tickets were ordered off sale as that time had come; reset to null where it changes. */
    resaleEndedAt: p.datetime().nullable(),
    /** When its grants were narrowed after its end (`inventory/settle-ended-events.ts`); reset to null where its end changes. */
    grantsNarrowedAt: p.datetime().nullable(),
    /** Not before then does a process look whether its accounts can be closed; null before the first look. */
    closeAt: p.datetime().nullable(),
    /** When a transaction that closes it was last sent; null where none can land any more. */
    closeSentAt: p.datetime().nullable(),
    /** When its account was seen closed at `finalized`: its permits are closed since, and no more are issued. */
    closedAt: p.datetime().nullable(),
    /** Lamports that came back from its account. */
    returned: p.bigint().default(0),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
