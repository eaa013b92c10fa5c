import type { FilterQuery } from '@mikro-orm/core';
import { Event } from '../src/entities/event.ts';
import { MODES } from '../src/entities/mode.ts';
import { Partner } from '../src/entities/partner.ts';
import { TicketType } from '../src/entities/ticket-type.ts';
import { knownId, nothingUnder } from '../src/identifier/known-id.ts';
import { createTestEvent } from '../src/sandbox/create-test-event.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import { builder, enumOf, right } from './builder.ts';
import { callerOf } from './context.ts';
import { pageOf } from './keyset.ts';
import { rowsBy, rowsById } from './load-rows.ts';
import { PartnerType } from './partner.ts';
import { containing } from './search-text.ts';

export const ModeType = enumOf('Mode', MODES, 'Sandbox data lives on a test network; production data is real.');

export const EventType = builder.loadableObjectRef<Event, string>('Event', {
  load: (ids, { context }) => rowsById(context, Event, ids),
  toKey: (event) => event.id,
  cacheResolved: true,
});

EventType.implement({
  description: 'An event that tickets are for.',
  fields: (t) => ({
    id: t.exposeID('id'),
    mode: t.expose('mode', { type: ModeType }),
    name: t.exposeString('name'),
    venue: t.exposeString('venue', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Tickets are shown until this moment.' }),
    tixEventId: t.exposeString('tixEventId', { description: 'Address of the onchain account, base58.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was seen on the chain; null until then.',
    }),
    partner: t.field({
      type: PartnerType,
      nullable: true,
      description: 'The only partner that may use a test event; null for every one, and in production.',
      resolve: (event) => event.partner?.id,
    }),
    ticketTypes: t.loadableList({
      type: TicketTypeType,
      load: (ids: string[], { context }) => rowsBy(context, TicketType, 'event', ids, { orderBy: { id: 'asc' } }),
      resolve: (event) => event.id,
    }),
  }),
});

export const TicketTypeType = builder.loadableObjectRef<TicketType, string>('TicketType', {
  load: (ids, { context }) => rowsById(context, TicketType, ids),
  toKey: (ticketType) => ticketType.id,
  cacheResolved: true,
});

TicketTypeType.implement({
  description: 'A kind of ticket of an event, such as "General admission".',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    event: t.field({ type: EventType, resolve: (ticketType) => ticketType.event.id }),
  }),
});

builder.queryFields((t) => ({
  event: t.field({
    type: EventType,
    nullable: true,
    authScopes: right('console:read'),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { context }) => context.em.findOne(Event, { id: knownId('evt', id) }),
  }),
  testEvents: t.connection({
    type: EventType,
    authScopes: right('console:read'),
    args: {
      search: t.arg.string({ description: 'A part of the name.' }),
      partnerId: t.arg.id({ description: 'Events that this partner may use.' }),
      over: t.arg.boolean({ description: 'Whether they have ended; both where left out.' }),
    },
    resolve: (_, { search, partnerId, over, ...page }, { context }) => {
      const now = context.now();
      const conditions: FilterQuery<Event>[] = [
        ...(search ? [{ name: containing(search) }] : []),
        ...(partnerId ? [{ $or: [{ partner: null }, { partner: knownId('ptn', partnerId) }] }] : []),
        ...(over == null ? [] : [{ endsAt: over ? { $lte: now } : { $gt: now } }]),
      ];
      return pageOf(context, Event, { mode: 'sandbox', $and: conditions }, page);
    },
  }),
}));

const TestEventInput = builder.inputType('TestEventInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 200 characters.' }),
    venue: t.string({ description: '1 to 200 characters.' }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    ticketTypes: t.stringList({ required: true, description: '1 to 50 names of 1 to 120 characters, all different.' }),
    partnerId: t.id({ description: 'The only partner that may use it; every one where left out.' }),
  }),
});

builder.mutationFields((t) => ({
  createTestEvent: t.field({
    type: EventType,
    authScopes: right('sandbox:write'),
    errors: {},
    args: { input: t.arg({ type: TestEventInput, required: true }) },
    resolve: async (_, { input }, call) => {
      const context = call.work();
      const { partnerId, venue = null, ...plan } = input;
      const partner = partnerId
        ? await context.em.findOneOrFail(
            Partner,
            { id: knownId('ptn', partnerId) },
            { failHandler: () => nothingUnder('ptn', partnerId) },
          )
        : undefined;
      const { event } = createTestEvent(context, { ...plan, venue, ...(partner && { partner }) }, callerOf(call));
      await context.em.flush();
      provisionSoon(context);
      return event;
    },
  }),
}));
