import { Client } from '../src/entities/client.ts';
import { NotificationEndpoint } from '../src/entities/notification.ts';
import {
  addEndpoint,
  changeEndpoint,
  type EndpointWithSecret,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateEndpointSecret,
} from '../src/partners/notification/change-endpoint.ts';
import {
  MOST_REPLAYED,
  replayDead,
  replayNotification,
  sendTest,
} from '../src/partners/notification/replay-notifications.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { builder, CHANGE, forPartners, mutation } from './builder.ts';
import { ClientType } from './client.ts';
import { type Call, callerOf } from './context.ts';
import { given } from './given.ts';
import { EndpointType, FormatType, NotificationNode } from './notification.ts';
import { own, requireOwn } from './own.ts';

const EndpointInput = builder.inputType('NotificationEndpointWish', {
  fields: (t) => ({
    format: t.field({ type: FormatType, required: true }),
    url: t.string({ description: 'An https address with port 443 or 8443. Omitted for SET_POLL.' }),
    types: t.stringList({ required: true, description: 'Of `notificationTypes`.' }),
  }),
});

const ChangesInput = builder.inputType('NotificationEndpointChanges', {
  description: 'Omitted fields stay as they are.',
  fields: (t) => ({
    url: t.string(),
    types: t.stringList(),
    enabled: t.boolean({ description: 'What happens while it is disabled is not recorded for it.' }),
  }),
});

const WithSecretType = builder.objectRef<EndpointWithSecret>('NotificationEndpointWithSecret').implement({
  fields: (t) =>
    forPartners({
      endpoint: t.field({ type: EndpointType, resolve: ({ endpoint }) => endpoint.id }),
      secret: t.exposeString('secret', {
        nullable: true,
        description:
          'Shown once. Standard Webhooks: the key of the signatures (`whsec_…`). SET_POLL: the bearer token of polls. Null for SET_PUSH, whose tokens are verified with the JWKS.',
      }),
    }),
});

const ReplayedType = builder.objectRef<{ endpoint: NotificationEndpoint['id']; count: number }>('Replayed').implement({
  fields: (t) =>
    forPartners({
      endpoint: t.field({ type: EndpointType, resolve: ({ endpoint }) => endpoint }),
      count: t.exposeInt('count', { description: `At most ${MOST_REPLAYED.toLocaleString('en')} in one call.` }),
    }),
});

/** The context of a change of an endpoint of the caller's partner, and its id. */
async function ownEndpoint(call: Call, id: string) {
  const context = call.work();
  return { context, endpoint: await requireOwn(context, NotificationEndpoint, 'nep', id, { client: own(call) }) };
}

builder.mutationFields((t) => {
  const endpointId = t.arg.id({ required: true });
  const pause = { endpointId, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) };
  return {
    ...forPartners({
      addNotificationEndpoint: t.field({
        type: WithSecretType,
        ...CHANGE,
        description: 'Adds an endpoint to a client. What happens from then on is recorded for it.',
        args: { clientId: t.arg.id({ required: true }), endpoint: t.arg({ type: EndpointInput, required: true }) },
        resolve: async (_, { clientId, endpoint }, call) => {
          const context = call.work();
          const client = await requireOwn(context, Client, 'client', clientId, own(call));
          return addEndpoint(context, client, endpoint, callerOf(call));
        },
      }),
      changeNotificationEndpoint: t.field({
        type: EndpointType,
        ...CHANGE,
        args: { endpointId, changes: t.arg({ type: ChangesInput, required: true }) },
        resolve: async (_, { endpointId: id, changes }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return changeEndpoint(context, endpoint, given(changes), callerOf(call));
        },
      }),
      removeNotificationEndpoint: t.field({
        type: ClientType,
        ...CHANGE,
        description: 'Removes an endpoint with its log. What waits is not sent.',
        args: { endpointId },
        resolve: async (_, { endpointId: id }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return removeEndpoint(context, endpoint, callerOf(call));
        },
      }),
      rotateNotificationSecret: t.field({
        type: WithSecretType,
        ...CHANGE,
        description:
          'Makes another secret. The one before stays valid for a day: both sign, or both tokens are accepted.',
        args: { endpointId },
        resolve: async (_, { endpointId: id }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return rotateEndpointSecret(context, endpoint, callerOf(call));
        },
      }),
      sendTestNotification: t.field({
        type: NotificationNode,
        ...CHANGE,
        description: 'Sends a test to an endpoint. Its answer shows in the log a moment later.',
        args: { endpointId },
        resolve: async (_, { endpointId: id }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return sendTest(context, endpoint);
        },
      }),
      replayNotification: t.field({
        type: NotificationNode,
        ...CHANGE,
        description: 'Sends a notification again that was delivered or is dead, with the same `jti`.',
        args: { endpointId, notificationId: t.arg.id({ required: true }) },
        resolve: async (_, { endpointId: id, notificationId }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return replayNotification(context, endpoint, knownId('ntf', notificationId), callerOf(call));
        },
      }),
      replayDeadNotifications: t.field({
        type: ReplayedType,
        ...CHANGE,
        description: 'Sends the dead notifications of an endpoint again, the oldest first.',
        args: { endpointId },
        resolve: async (_, { endpointId: id }, call) => {
          const { context, endpoint } = await ownEndpoint(call, id);
          return { endpoint, count: await replayDead(context, endpoint, callerOf(call)) };
        },
      }),
    }),
    pauseNotificationEndpoint: t.field({
      type: EndpointType,
      ...mutation('clients:suspend'),
      description: 'Stops sending to an endpoint. What happens meanwhile waits, for three days at most.',
      args: pause,
      resolve: (_, { endpointId, reason }, call) => pauseEndpoint(call.work(), endpointId, reason, callerOf(call)),
    }),
    resumeNotificationEndpoint: t.field({
      type: EndpointType,
      ...mutation('clients:suspend'),
      description: 'Sends to a paused endpoint again.',
      args: pause,
      resolve: (_, { endpointId, reason }, call) => resumeEndpoint(call.work(), endpointId, reason, callerOf(call)),
    }),
  };
});
