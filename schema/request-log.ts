import { knownId } from '../src/platform/identifier/known-id.ts';
import { idOf } from '../src/platform/identifier/type-id.ts';
import { countRequests } from '../src/record/activity/count-requests.ts';
import { fixOf } from '../src/record/activity/fix-of.ts';
import { describeOperation, labelOf, OPERATION_FILTERS } from '../src/record/activity/operations.ts';
import { type RequestListFilter, refusalsInLog } from '../src/record/activity/request-list.ts';
import type { RequestRow } from '../src/record/activity/request-rows.ts';
import { builder, right } from './builder.ts';
import { ClientType } from './client.ts';
import { ModeType } from './event.ts';
import { given } from './given.ts';
import { MOST_COUNTED } from './lists.ts';
import { pageOfRequests } from './request-pages.ts';

export const RequestFilterInput = builder.inputType('RequestFilter', {
  description: 'Omitted fields do not filter.',
  fields: (t) => ({
    operation: t.string({
      description:
        'An operation such as `tickets.list`, or a group: `fan`, `token`, `sign_in`, `portal`, `console`, `not_console`.',
    }),
    outcome: t.string({ description: '`ok`, `failed`, or the stable code of a refusal.' }),
    status: t.string({ description: 'A number such as `404`, or a class such as `4xx`.' }),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime', description: 'Only before this time.' }),
  }),
});

const LoggedRequestType = builder.objectRef<RequestRow>('LoggedRequest').implement({
  description: 'One answered request of the last 30 days. Contains no secrets.',
  fields: (t) => ({
    id: t.exposeID('id', { description: '`X-Request-Id` of the answer.' }),
    at: t.expose('at', { type: 'DateTime' }),
    operation: t.exposeString('operation'),
    label: t.string({
      description: 'What was called, such as `GET /tickets`.',
      resolve: ({ operation }) => labelOf(operation),
    }),
    title: t.string({
      description: 'A sentence.',
      resolve: ({ operation, outcome }) => describeOperation(operation, outcome),
    }),
    method: t.exposeString('method'),
    status: t.exposeInt('status'),
    outcome: t.exposeString('outcome', { description: '`ok`, or the stable code of what went wrong.' }),
    message: t.exposeString('message', { nullable: true, description: 'The message that a refused caller got.' }),
    fix: t.string({
      nullable: true,
      description: 'How the caller can fix it.',
      resolve: (row) => fixOf(row) ?? null,
    }),
    durationMs: t.exposeInt('duration_ms'),
    client: t.field({
      type: ClientType,
      nullable: true,
      resolve: ({ client_id: client }) => client && idOf('client', client),
    }),
  }),
});

const NamedType = builder.objectRef<{ name: string; label: string }>('RequestOperation').implement({
  description: 'An operation, or a group of operations, to filter requests by.',
  fields: (t) => ({ name: t.exposeString('name'), label: t.exposeString('label') }),
});

builder.queryFields((t) => ({
  requests: t.connection({
    type: LoggedRequestType,
    authScopes: right('console:read'),
    description: 'The request log of the last 30 days, newest first.',
    args: {
      filter: t.arg({ type: RequestFilterInput }),
      clientId: t.arg.id({ description: 'All clients if omitted.' }),
      mode: t.arg({ type: ModeType, description: 'Only clients of this mode.' }),
    },
    resolve: async (_, { filter, clientId, mode, ...page }, { context }) => {
      const wanted: RequestListFilter = {
        ...given(filter ?? {}),
        ...(clientId && { clientId: knownId('client', clientId) }),
        ...(mode && { mode }),
      };
      const rows = await pageOfRequests(context, wanted, page);
      return { ...rows, countUpTo: () => countRequests(context, wanted, MOST_COUNTED + 1) };
    },
  }),
  requestOperations: t.field({
    type: [NamedType],
    authScopes: right('console:read'),
    description: 'The values of `operation` in a filter.',
    resolve: () => OPERATION_FILTERS,
  }),
  requestRefusals: t.stringList({
    authScopes: right('console:read'),
    description: 'The error codes of refused requests in the log.',
    resolve: (_, __, { context }) => refusalsInLog(context),
  }),
}));
