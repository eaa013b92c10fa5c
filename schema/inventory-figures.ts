import {
  countInUse,
  countTickets,
  type EventInUse,
  type Figure,
  MOST_COUNTED,
} from '../src/inventory/event-figures.ts';
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

/** Counting reads grants and listings, so one call must not request it for many events. */
const IN_USE_COMPLEXITY = 1_000;

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
  history: t.connection({
    type: AuditEntryType,
    description: 'Its entries in the audit log.',
    resolve: ({ id }, page, { context }) => pageOfEntries(context, { subject: id }, page),
  }),
}));
