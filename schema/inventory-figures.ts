import type { Event } from '../src/entities/event.ts';
import {
  countInUse,
  countPermits,
  countTickets,
  type EventClosing,
  type EventInUse,
  type EventPermits,
  type Figure,
  MOST_COUNTED,
  readClosing,
} from '../src/inventory/event-figures.ts';
import { closesAt } from '../src/inventory/issuing/close-events.ts';
import { permitRent } from '../src/inventory/issuing/read-costs.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { uuidOf } from '../src/platform/identifier/type-id.ts';
import { AuditEntryType, pageOfEntries } from './audit-entry.ts';
import { builder } from './builder.ts';
import { EventType } from './event.ts';

const FigureType = builder.objectRef<Figure>('Figure').implement({
  description: `How many there are, counted up to ${MOST_COUNTED.toLocaleString('en')}.`,
  fields: (t) => ({
    count: t.exposeInt('count'),
    more: t.exposeBoolean('more', { description: 'Whether there are more than `count`.' }),
  }),
});

const EventInUseType = builder.objectRef<EventInUse>('EventInUse').implement({
  description: 'What is live of an event, and so ends or is hidden when it is cancelled.',
  fields: (t) => ({
    tickets: t.expose('tickets', { type: FigureType, description: 'Valid tickets whose permit is not revoked.' }),
    listings: t.expose('listings', { type: FigureType, description: 'Its tickets that are for sale.' }),
    grants: t.expose('grants', { type: FigureType, description: 'Grants that show one of its tickets to an app.' }),
  }),
});

const ClosingWaitType = builder.objectRef<EventClosing['waits'][number]>('EventClosingWait').implement({
  description: 'Permits of a closed event that could not be closed yet. They are tried again.',
  fields: (t) => ({ reason: t.exposeString('reason'), permits: t.exposeInt('permits') }),
});

const EventClosingType = builder.objectRef<EventClosing>('EventClosing').implement({
  description: 'What has come back of a closed event.',
  fields: (t) => ({
    permits: t.exposeInt('permits'),
    closed: t.exposeInt('closed', { description: 'Permits without an onchain account, for good.' }),
    returned: t.expose('returned', { type: 'BigInt', description: 'Lamports of the event and its permits.' }),
    waits: t.expose('waits', { type: [ClosingWaitType] }),
  }),
});

const EventPermitsType = builder.objectRef<EventPermits & Pick<Event, 'mode'>>('EventPermits').implement({
  description: 'The permits of an event by where they are.',
  fields: (t) => ({
    issued: t.exposeInt('issued'),
    waiting: t.exposeInt('waiting', { description: 'In the queue of those to issue.' }),
    unneeded: t.exposeInt('unneeded', { description: 'Not onchain, because no app may list their ticket.' }),
    spared: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Lamports of rent that the others would lock; null where the cluster does not tell.',
      resolve: ({ unneeded, mode }, _, { context }) => permitRent(context.chains[mode], unneeded),
    }),
  }),
});

/** Counting reads grants and listings, so one call must not request it for many events. */
const IN_USE_COMPLEXITY = 1_000;
/** An index walk over the tickets of an event. */
const PERMITS_COMPLEXITY = 100;

builder.objectFields(EventType, (t) => ({
  ticketCount: t.loadable({
    type: FigureType,
    load: (ids: string[], { context }) =>
      countTickets(
        context,
        ids.map((id) => uuidOf('evt', knownId('evt', id))),
      ),
    resolve: ({ id }) => id,
  }),
  inUse: t.field({
    type: EventInUseType,
    complexity: IN_USE_COMPLEXITY,
    resolve: ({ id }, _, { context }) => countInUse(context, uuidOf('evt', id)),
  }),
  permits: t.field({
    type: EventPermitsType,
    complexity: PERMITS_COMPLEXITY,
    resolve: async ({ id, mode }, _, { context }) => ({ ...(await countPermits(context, uuidOf('evt', id))), mode }),
  }),
  closesAt: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'Not before then are its onchain accounts closed; null where they are not onchain, closed already, or never closed.',
    resolve: (event, _, { context }) => closesAt(event, context.config.issuing),
  }),
  closing: t.field({
    type: EventClosingType,
    nullable: true,
    description: 'Null until its account is closed.',
    complexity: IN_USE_COMPLEXITY,
    resolve: ({ id, closedAt }, _, { context }) => (closedAt ? readClosing(context, uuidOf('evt', id)) : null),
  }),
  history: t.connection({
    type: AuditEntryType,
    description: 'Its entries in the audit log.',
    resolve: ({ id }, page, { context }) => pageOfEntries(context, { subject: id }, page),
  }),
}));
