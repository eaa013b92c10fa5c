import {
  DISABLED_REASONS,
  NOTIFICATION_FORMATS,
  NotificationEndpoint,
  type NotificationState,
} from '../src/entities/notification.ts';
import { countNotifications } from '../src/partners/notification/count-notifications.ts';
import { pauseEndpoint, resumeEndpoint } from '../src/partners/notification/pause-endpoint.ts';
import { staffIn } from '../src/partners/person.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { builder, enumOf, mutation } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf, type StaffCall } from './context.ts';
import { MOST_COUNTED } from './lists.ts';
import { rowsBy } from './load-rows.ts';
import { StaffType } from './staff.ts';

const FormatType = enumOf('NotificationFormat', NOTIFICATION_FORMATS);
const DisabledReasonType = enumOf(
  'NotificationEndpointDisabledReason',
  DISABLED_REASONS,
  'By a person of the partner, by three days of failures, or by its own answer 410.',
);

function countOf(state: NotificationState) {
  return {
    type: 'Int' as const,
    description: `Counted up to ${MOST_COUNTED.toLocaleString('en')}.`,
    load: (ids: string[], { context }: StaffCall) =>
      countNotifications(context, ids as Id<'nep'>[], state, MOST_COUNTED),
    resolve: ({ id }: NotificationEndpoint) => id,
  };
}

const EndpointType = builder.objectRef<NotificationEndpoint>('NotificationEndpoint').implement({
  description: 'Where a client is told of changes of its grants.',
  fields: (t) => ({
    id: t.exposeID('id'),
    format: t.expose('format', { type: FormatType }),
    url: t.exposeString('url', { nullable: true, description: 'Null of an endpoint that polls.' }),
    types: t.exposeStringList('types'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledReason: t.expose('disabledReason', { type: DisabledReasonType, nullable: true }),
    pausedAt: t.expose('pausedAt', { type: 'DateTime', nullable: true, description: 'Null while it is not paused.' }),
    pausedBy: t.field({
      type: StaffType,
      nullable: true,
      resolve: ({ pausedBy }) => (pausedBy ? staffIn(pausedBy) : null),
    }),
    pauseReason: t.exposeString('pauseReason', { nullable: true }),
    failures: t.exposeInt('failures', { description: 'Attempts that failed since the last success.' }),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
    lastDeliveredAt: t.expose('lastDeliveredAt', { type: 'DateTime', nullable: true }),
    lastPolledAt: t.expose('lastPolledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its client last polled, to the minute; null of an endpoint that is pushed to.',
    }),
    waiting: t.loadable(countOf('waiting')),
    dead: t.loadable(countOf('dead')),
  }),
});

builder.objectField(ClientType, 'notificationEndpoints', (t) =>
  t.loadableList({
    type: EndpointType,
    description: 'Oldest first.',
    ...rowsBy(NotificationEndpoint, 'client', { orderBy: { id: 'asc' } }),
  }),
);

builder.mutationFields((t) => {
  const args = {
    endpointId: t.arg.id({ required: true }),
    reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
  };
  return {
    pauseNotificationEndpoint: t.field({
      type: EndpointType,
      ...mutation('clients:suspend'),
      description: 'Stops sending to an endpoint. What happens meanwhile waits, for three days at most.',
      args,
      resolve: (_, { endpointId, reason }, call) => pauseEndpoint(call.work(), endpointId, reason, callerOf(call)),
    }),
    resumeNotificationEndpoint: t.field({
      type: EndpointType,
      ...mutation('clients:suspend'),
      description: 'Sends to a paused endpoint again.',
      args,
      resolve: (_, { endpointId, reason }, call) => resumeEndpoint(call.work(), endpointId, reason, callerOf(call)),
    }),
  };
});
