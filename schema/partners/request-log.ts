import { knownId } from '../../src/platform/identifier/known-id.ts';
import { idOf } from '../../src/platform/identifier/type-id.ts';
import { countRequests } from '../../src/record/activity/count-requests.ts';
import { fixOf } from '../../src/record/activity/fix-of.ts';
import { describeOperation, labelOf, OPERATION_FILTERS } from '../../src/record/activity/operations.ts';
import { readPartnerRequest } from '../../src/record/activity/read-partner-request.ts';
import { type Replay, replayOf } from '../../src/record/activity/replay-of.ts';
import { type RequestListFilter, refusalsInLog } from '../../src/record/activity/request-list.ts';
import type { RequestRow } from '../../src/record/activity/request-rows.ts';
import { given } from '../given.ts';
import { MOST_COUNTED } from '../lists.ts';
import { pageOfRequests } from '../request-pages.ts';
import { builder } from './builder.ts';
import { ClientType, ModeType } from './client.ts';
import { own } from './scope.ts';

const ReplayType = builder.objectRef<Replay>('Replay').implement({
  description:
    'How to make a call of the same kind again. Tokens, codes and bodies are never stored, so they are placeholders.',
  fields: (t) => ({
    method: t.exposeString('method'),
    url: t.exposeString('url'),
    curl: t.exposeString('curl', {
      description: 'A command for a shell. Values to fill in are variables such as `$ACCESS_TOKEN`.',
    }),
    variables: t.exposeStringList('variables', { description: 'The variables of the command.' }),
  }),
});

const RequestType = builder.objectRef<RequestRow>('LoggedRequest').implement({
  description:
    'One answered request of the last 30 days that was made with a client of yours. Contains no secrets and no body.',
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
      description: 'What to do about it; null for a request that was not refused.',
      resolve: (row) => fixOf(row) ?? null,
    }),
    durationMs: t.exposeInt('duration_ms'),
    client: t.field({
      type: ClientType,
      nullable: true,
      resolve: ({ client_id: client }) => client && idOf('client', client),
    }),
    replay: t.field({
      type: ReplayType,
      nullable: true,
      description: 'Null for what only browsers of fans call.',
      resolve: ({ operation, client_id: client }, _args, { context }) =>
        replayOf(context.config, { operation, clientId: client && idOf('client', client) }) ?? null,
    }),
  }),
});

const FilterInput = builder.inputType('RequestFilter', {
  description: 'Omitted fields do not filter.',
  fields: (t) => ({
    operation: t.string({
      description:
        'An operation such as `tickets.list`, or a group: `fan`, `token`, `sign_in`; see `requestOperations`.',
    }),
    outcome: t.string({ description: '`ok`, `failed`, or the stable code of a refusal.' }),
    status: t.string({ description: 'A number such as `404`, or a class such as `4xx`.' }),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime', description: 'Only before this time.' }),
  }),
});

const NamedType = builder.objectRef<{ name: string; label: string }>('RequestOperation').implement({
  description: 'An operation, or a group of operations, to filter requests by.',
  fields: (t) => ({ name: t.exposeString('name'), label: t.exposeString('label') }),
});

/** What no client is named for is never in a partner's log. */
const OF_CLIENTS =
  /^(fan|token|sign_in)$|^(authorize|login|token|userinfo|receipts|tickets|listings|claims|notifications)\./;

builder.queryFields((t) => ({
  requests: t.connection({
    type: RequestType,
    description: 'The request log of your clients of the last 30 days, newest first.',
    args: {
      filter: t.arg({ type: FilterInput }),
      clientId: t.arg.id({ description: 'All your clients if omitted.' }),
      mode: t.arg({ type: ModeType, description: 'Only clients of this mode.' }),
    },
    resolve: async (_, { filter, clientId, mode, ...page }, call) => {
      const wanted: RequestListFilter = {
        ...given(filter ?? {}),
        partnerId: own(call).partner,
        ...(clientId && { clientId: knownId('client', clientId) }),
        ...(mode && { mode }),
      };
      const rows = await pageOfRequests(call.context, wanted, page);
      return { ...rows, countUpTo: () => countRequests(call.context, wanted, MOST_COUNTED + 1) };
    },
  }),
  request: t.field({
    type: RequestType,
    nullable: true,
    description: 'A request of your clients of the last 30 days, by the `X-Request-Id` of its answer.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, call) => (await readPartnerRequest(call.context, id, own(call).partner)) ?? null,
  }),
  requestRefusals: t.stringList({
    description: 'The error codes with which requests of your clients were refused, for `outcome` in a filter.',
    resolve: (_, _args, call) => refusalsInLog(call.context, { partnerId: own(call).partner }),
  }),
  requestOperations: t.field({
    type: [NamedType],
    description: 'The values of `operation` in a filter.',
    resolve: () => OPERATION_FILTERS.filter(({ name }) => OF_CLIENTS.test(name)),
  }),
}));
