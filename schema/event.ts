import { type FilterQuery, raw } from '@mikro-orm/core';
import { AuditEntry } from '../src/entities/audit-entry.ts';
import { Event } from '../src/entities/event.ts';
import { Partner } from '../src/entities/partner.ts';
import { TicketType } from '../src/entities/ticket.ts';
import { rowUnder } from '../src/platform/database/row-under.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { MODES } from '../src/platform/mode.ts';
import { createTestEvent } from '../src/sandbox/create-test-event.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import { AuditEntryType } from './audit-entry.ts';
import {
  builder,
  CHANGE,
  enumOf,
  type FieldsOf,
  forBoth,
  forPartners,
  mutation,
  right,
  STAFF_ONLY,
} from './builder.ts';
import { type Call, callerOf } from './context.ts';
import { given } from './given.ts';
import { byMoment, byText } from './list-order.ts';
import { containing, literally, pageOf } from './lists.ts';
import { entityType, queryById, rowBy, rowsBy } from './loaders.ts';
import { IS_SHARED, ownOrShared, ownPartner, usableBy } from './own.ts';
import { PartnerType } from './partner.ts';
import { sortEnum } from './sorts.ts';

export const ModeType = enumOf('Mode', MODES, 'Sandbox data lives on a test network; production data is real.');

const EVENT_STATUSES = ['scheduled', 'cancelled'] as const;
const EventStatusType = enumOf('EventStatus', EVENT_STATUSES);

const RESALE_CHANGE = rowBy(AuditEntry, 'subject', { where: { action: 'resale.changed' }, orderBy: { id: 'desc' } });

export const EventType = entityType('Event', Event);

/** The fields that partners see of a test event. */
const eventFields = (t: FieldsOf<Event>) => ({
  id: t.exposeID('id', { description: 'The `svc_event_id` of the Fan API.' }),
  name: t.exposeString('name'),
  venue: t.exposeString('venue', { nullable: true }),
  startsAt: t.expose('startsAt', { type: 'DateTime' }),
  timeZone: t.exposeString('timeZone', { description: 'IANA name of the time zone in which its times are shown.' }),
  endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Tickets are shown until then.' }),
  tixEventId: t.exposeString('tixEventId', { description: 'Address of the onchain account, base58.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  registeredAt: t.expose('registeredAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it was first seen onchain; null until then.',
  }),
  ticketTypes: t.loadableList({ type: TicketTypeType, ...rowsBy(TicketType, 'event', { orderBy: { id: 'asc' } }) }),
});

EventType.implement({
  description: 'An event that tickets are for.',
  fields: (t) => ({
    ...eventFields(t),
    mode: t.expose('mode', { type: ModeType }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The company’s own reference; null for a test event.',
    }),
    status: t.field({
      type: EventStatusType,
      resolve: (event) => (event.cancelledAt === null ? 'scheduled' : 'cancelled'),
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From then on its tickets are hidden.',
    }),
    resaleUntil: t.expose('resaleUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then its tickets can be resold; null: until it ends.',
    }),
    resaleChange: t.loadable({
      type: AuditEntryType,
      description: 'Who last set until when its tickets can be resold; null while nobody has.',
      ...RESALE_CHANGE,
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its onchain account was closed after its end; its permits are closed since.',
    }),
    partner: t.field({
      type: PartnerType,
      nullable: true,
      description: 'The only partner that can use a test event; null for all partners, and in production.',
      resolve: (event) => event.partner?.id,
    }),
  }),
});

export const TestEventType = entityType('TestEvent', Event);

TestEventType.implement({
  description: 'A test event that tickets are for.',
  fields: (t) => forPartners({ ...eventFields(t), isShared: t.boolean(IS_SHARED) }),
});

export const TicketTypeType = entityType('TicketType', TicketType);

TicketTypeType.implement({
  description: 'A kind of ticket of an event, such as "General admission".',
  fields: (t) => ({
    ...forBoth({ id: t.exposeID('id'), name: t.exposeString('name') }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The company’s own reference, unique within the event; null for a test event.',
    }),
    event: t.field({ type: EventType, resolve: (ticketType) => ticketType.event.id }),
    resale: t.exposeBoolean('resale', { description: 'Whether its tickets can be put on sale.' }),
    resaleChange: t.loadable({
      type: AuditEntryType,
      description: 'Who last set whether they can; null while nobody has.',
      ...RESALE_CHANGE,
    }),
  }),
});

queryById('event', EventType, Event, 'evt');

/** Finds future events by their time first: in order of age, PostgreSQL would have to skip all past events. */
function overCondition(over: boolean, now: Date): FilterQuery<Event> {
  if (over) return { endsAt: { $lte: now } };
  const toCome = (alias: string) => `${alias}.id = any(array(select soon.id from event soon where soon.ends_at > ?))`;
  return { [raw(toCome, [now])]: [] };
}

const EVENT_KEYS = { name: byText('name', 'name'), starts: byMoment<'startsAt'>('startsAt', { nullable: false }) };
const TestEventSort = sortEnum<Event>('TestEventSort', EVENT_KEYS);
const EventSort = sortEnum<Event>('EventSort', EVENT_KEYS);

builder.queryFields((t) => ({
  events: t.connection({
    type: EventType,
    authScopes: right('console:read'),
    args: {
      mode: t.arg({ type: ModeType, description: 'Both if omitted.' }),
      search: t.arg.string({ description: 'The company’s reference, or part of the name.' }),
      status: t.arg({ type: EventStatusType }),
      over: t.arg.boolean({ description: 'Whether they have ended; both if omitted.' }),
      sort: t.arg({ type: EventSort }),
    },
    resolve: (_, { mode, search, status, over, ...page }, { context }) => {
      const now = context.now();
      return pageOf(context, Event, page, [
        mode && { mode },
        search && { $or: [{ reference: literally(search) }, containing('name', search)] },
        status && { cancelledAt: status === 'cancelled' ? { $ne: null } : null },
        over != null && overCondition(over, now),
      ]);
    },
  }),
  testEvents: t.connection({
    type: EventType,
    authScopes: right('console:read'),
    args: {
      search: t.arg.string({ description: 'Part of the name.' }),
      partnerId: t.arg.id({ description: 'Events that this partner can use.' }),
      over: t.arg.boolean({ description: 'Whether they have ended; both if omitted.' }),
      sort: t.arg({ type: TestEventSort }),
    },
    resolve: (_, { search, partnerId, over, ...page }, { context }) => {
      const now = context.now();
      return pageOf(context, Event, page, [
        { mode: 'sandbox' },
        search && containing('name', search),
        partnerId && usableBy(knownId('ptn', partnerId)),
        over != null && overCondition(over, now),
      ]);
    },
  }),
}));

builder.queryFields((t) =>
  forPartners({
    testEventsForPartners: t.connection({
      type: TestEventType,
      description: 'Test events that you can use, newest first.',
      args: { over: t.arg.boolean({ description: 'Whether they have ended; both if omitted.' }) },
      resolve: (_, { over, ...page }, call) =>
        pageOf<Event>(call.context, Event, page, [
          { mode: 'sandbox' },
          ownOrShared(call),
          over != null && overCondition(over, call.context.now()),
        ]),
    }),
  }),
);

const TestEventInput = builder.inputType('TestEventInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 200 characters.' }),
    venue: t.string({ description: '1 to 200 characters.' }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    timeZone: t.string({ description: 'IANA name of the venue’s zone, such as `Europe/Berlin`; UTC if omitted.' }),
    ticketTypes: t.stringList({ required: true, description: '1 to 50 names of 1 to 120 characters, all different.' }),
    notForResale: t.stringList({ description: 'Those of `ticketTypes` whose tickets can’t be put on sale.' }),
    resaleUntil: t.field({
      type: 'DateTime',
      description: 'Until then its tickets can be resold; until it ends if omitted.',
    }),
    partnerId: t.id({ ...STAFF_ONLY, description: 'The only partner that can use it; all partners if omitted.' }),
  }),
});

builder.mutationFields((t) => {
  const args = { input: t.arg({ type: TestEventInput, required: true }) };
  return {
    createTestEvent: t.field({
      type: EventType,
      ...mutation('sandbox:write'),
      args,
      resolve: (_, { input }, call) => createEvent(call, input, input.partnerId),
    }),
    ...forPartners({
      createTestEventForPartners: t.field({
        type: TestEventType,
        ...CHANGE,
        args,
        resolve: (_, { input }, call) => createEvent(call, input, ownPartner(call)),
      }),
    }),
  };
});

/** @param usedBy the only partner that can use it */
async function createEvent(
  call: Call,
  { partnerId: _, venue = null, timeZone, notForResale, resaleUntil, ...plan }: typeof TestEventInput.$inferInput,
  usedBy: string | null | undefined,
): Promise<Event> {
  const context = call.work();
  const partner = usedBy && (await rowUnder(context.em, Partner, 'ptn', usedBy));
  const options = given({ timeZone, notForResale, resaleUntil });
  const wish = { ...plan, venue, ...options, ...(partner && { partner }) };
  const { event } = createTestEvent(context, wish, callerOf(call));
  await context.em.flush();
  provisionSoon(context);
  return event;
}
