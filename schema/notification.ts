import {
  DISABLED_REASONS,
  NOTIFICATION_FORMATS,
  NOTIFICATION_STATES,
  NOTIFICATION_TYPES,
  Notification,
  NotificationAttempt,
  NotificationEndpoint,
  NotificationSecret,
  type NotificationState,
} from '../src/entities/notification.ts';
import { NOTIFICATION_TYPE_TEXTS } from '../src/partners/notification/notification-types.ts';
import { countNotifications } from '../src/partners/notification/read-backlog.ts';
import { shownPayload } from '../src/partners/notification/shown-payload.ts';
import { staffIn } from '../src/partners/person.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { type Id, idOf } from '../src/platform/identifier/type-id.ts';
import { builder, enumOf, forBoth, forPartners } from './builder.ts';
import { ClientType } from './client.ts';
import type { Call } from './context.ts';
import { MOST_COUNTED, pageOf } from './lists.ts';
import { entityType, rowsBy } from './loaders.ts';
import { own, requireOwn } from './own.ts';
import { StaffType } from './staff.ts';

export const FormatType = enumOf(
  'NotificationFormat',
  NOTIFICATION_FORMATS,
  'Security Event Tokens by push (RFC 8935) or by poll (RFC 8936), or Standard Webhooks.',
);
const StateType = enumOf(
  'NotificationState',
  NOTIFICATION_STATES,
  'Dead: not delivered within three days, or refused.',
);
const DisabledReasonType = enumOf(
  'NotificationEndpointDisabledReason',
  DISABLED_REASONS,
  'By a person of the partner, by three days of failures, or by its own answer 410.',
);

const TypeType = builder.objectRef<(typeof NOTIFICATION_TYPES)[number]>('NotificationTypeInfo').implement({
  description: 'Something that an endpoint can be told of.',
  fields: (t) =>
    forPartners({
      name: t.string({ resolve: (name) => name }),
      says: t.string({ resolve: (name) => NOTIFICATION_TYPE_TEXTS[name].says }),
      uri: t.string({
        description: 'Its key in the `events` claim of a Security Event Token.',
        resolve: (name) => NOTIFICATION_TYPE_TEXTS[name].uri,
      }),
    }),
});

const COUNTED = `Counted up to ${MOST_COUNTED.toLocaleString('en')}`;

/** The options of a field with the number of an endpoint's notifications in a state. */
function countOf(state: NotificationState) {
  return {
    type: 'Int' as const,
    load: (ids: string[], { context }: Call) => countNotifications(context, ids as Id<'nep'>[], state, MOST_COUNTED),
    resolve: ({ id }: NotificationEndpoint) => id,
  };
}

export const EndpointType = entityType('NotificationEndpoint', NotificationEndpoint);

EndpointType.implement({
  description: 'Where a client is told of changes of its grants.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      format: t.expose('format', { type: FormatType }),
      url: t.exposeString('url', { nullable: true, description: 'Null of an endpoint that polls.' }),
      types: t.exposeStringList('types'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      disabledAt: t.expose('disabledAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Null while it is enabled.',
      }),
      disabledReason: t.expose('disabledReason', { type: DisabledReasonType, nullable: true }),
      failures: t.exposeInt('failures', { description: 'Attempts that failed since the last success.' }),
      failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
      lastDeliveredAt: t.expose('lastDeliveredAt', { type: 'DateTime', nullable: true }),
      lastPolledAt: t.expose('lastPolledAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When its client last polled, to the minute; null of an endpoint that is pushed to.',
      }),
      waiting: t.loadable({ description: `${COUNTED}.`, ...countOf('waiting') }),
      dead: t.loadable({ description: `Not delivered, and not tried any more. ${COUNTED}.`, ...countOf('dead') }),
    }),
    ...forPartners({
      client: t.field({ type: ClientType, resolve: ({ client }) => client.id }),
      isPaused: t.boolean({
        description: 'Whether staff have paused it: what happens meanwhile waits.',
        resolve: ({ pausedAt }) => Boolean(pausedAt),
      }),
      restsUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Nothing is sent before, after several failures in a row; null while it does not rest.',
        resolve: ({ restUntil }, _, { context }) => (restUntil && restUntil > context.now() ? restUntil : null),
      }),
      oldSecretUntil: t.loadable({
        type: 'DateTime',
        nullable: true,
        description: 'Until when the secret before the newest is valid too; null where there is none.',
        load: async (ids: string[], call) => {
          const where = { endpoint: { $in: ids }, expiresAt: { $gt: call.context.now() } } as never;
          const old = await call.context.em.find(NotificationSecret, where);
          const byEndpoint = new Map<string, Date | null | undefined>(
            old.map(({ endpoint, expiresAt }) => [endpoint.id, expiresAt]),
          );
          return ids.map((id) => byEndpoint.get(id) ?? undefined);
        },
        resolve: ({ id }) => id,
      }),
    }),
    pausedAt: t.expose('pausedAt', { type: 'DateTime', nullable: true, description: 'Null while it is not paused.' }),
    pausedBy: t.field({
      type: StaffType,
      nullable: true,
      resolve: ({ pausedBy }) => (pausedBy ? staffIn(pausedBy) : null),
    }),
    pauseReason: t.exposeString('pauseReason', { nullable: true }),
  }),
});

builder.objectField(ClientType, 'notificationEndpoints', (t) =>
  t.loadableList({
    type: EndpointType,
    description: 'Oldest first.',
    ...rowsBy(NotificationEndpoint, 'client', { orderBy: { id: 'asc' } }),
  }),
);

const AttemptType = builder.objectRef<NotificationAttempt>('NotificationAttempt').implement({
  description: 'An attempt to deliver a notification.',
  fields: (t) =>
    forPartners({
      at: t.expose('at', { type: 'DateTime' }),
      durationMs: t.exposeInt('durationMs'),
      status: t.exposeInt('status', { nullable: true, description: 'Null where no answer came.' }),
      failure: t.exposeString('failure', { nullable: true, description: 'Why it failed; null where it did not.' }),
      answer: t.exposeString('answer', {
        nullable: true,
        description: 'The first 1,024 characters of the answer’s body. The operator of the endpoint wrote it.',
      }),
    }),
});

export const NotificationNode = builder.objectRef<Notification>('Notification').implement({
  description: 'Something that an endpoint is told.',
  fields: (t) =>
    forPartners({
      id: t.id({ description: '`jti` of the token, `webhook-id` of the webhook.', resolve: ({ jti }) => jti }),
      type: t.exposeString('type'),
      grantId: t.id({
        nullable: true,
        description: 'Null of a test.',
        resolve: ({ grantId }) => (grantId ? idOf('grant', grantId) : null),
      }),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      state: t.expose('state', { type: StateType }),
      attemptCount: t.exposeInt('attempts', { description: 'Since it was written or replayed.' }),
      dueAt: t.expose('dueAt', { type: 'DateTime', description: 'Of the next attempt, while it waits.' }),
      endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
      failure: t.exposeString('failure', { nullable: true, description: 'Why it is dead.' }),
      payload: t.loadable({
        type: 'String',
        nullable: true,
        description:
          'JSON: the body of the webhook, or the claims of the token without `iat`, which is the time of each attempt.',
        load: async (rows: Notification[], { context }) => {
          const ids = [...new Set(rows.map(({ endpoint }) => endpoint.id))];
          const endpoints = await context.em.find(NotificationEndpoint, { id: { $in: ids } });
          const byId = new Map<string, NotificationEndpoint>(endpoints.map((endpoint) => [endpoint.id, endpoint]));
          return rows.map((row) => {
            const endpoint = byId.get(row.endpoint.id);
            return (endpoint && shownPayload(context, endpoint, row)) ?? undefined;
          });
        },
        resolve: (notification) => notification,
      }),
      attempts: t.loadableList({
        type: AttemptType,
        description: 'Newest first. Polls are not listed.',
        ...rowsBy(NotificationAttempt, 'notification', { orderBy: { id: 'desc' } }),
        resolve: ({ id }) => String(id),
      }),
    }),
});

builder.queryFields((t) =>
  forPartners({
    notificationTypes: t.field({
      type: [TypeType],
      description: 'What an endpoint can be told of.',
      resolve: () => [...NOTIFICATION_TYPES],
    }),
    notificationEndpoints: t.field({
      type: [EndpointType],
      description: 'The endpoints of your clients, oldest first.',
      resolve: (_, _args, call) =>
        call.context.em.find(NotificationEndpoint, { client: own(call) }, { orderBy: { id: 'asc' }, limit: 250 }),
    }),
    notificationEndpoint: t.field({
      type: EndpointType,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, call) =>
        call.context.em.findOne(NotificationEndpoint, { $and: [{ id: knownId('nep', id) }, { client: own(call) }] }),
    }),
    notifications: t.connection({
      type: NotificationNode,
      description: 'What an endpoint was told and is to be told, newest first. Ended ones are kept for 30 days.',
      args: { endpointId: t.arg.id({ required: true }), state: t.arg({ type: StateType }) },
      resolve: async (_, { endpointId, state, ...page }, call) => {
        const id = await requireOwn(call.context, NotificationEndpoint, 'nep', endpointId, { client: own(call) });
        return pageOf<Notification>(call.context, Notification, page, [{ endpoint: id }, state != null && { state }]);
      },
    }),
  }),
);
