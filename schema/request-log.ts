import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { DomainError } from '../src/platform/errors.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { idOf, isUuid } from '../src/platform/identifier/type-id.ts';
import { fixOf } from '../src/record/activity/fix-of.ts';
import { calledBy, describeOperation, OPERATION_FILTERS } from '../src/record/activity/operations.ts';
import { type Replay, replayOf } from '../src/record/activity/replay-of.ts';
import {
  countRequests,
  listRequests,
  type RequestListFilter,
  readPartnerRequest,
  refusalsInLog,
} from '../src/record/activity/request-list.ts';
import type { Place, RequestRow } from '../src/record/activity/request-rows.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { builder, forBoth, forPartners, right } from './builder.ts';
import { ClientType } from './client.ts';
import { type Call, isMember } from './context.ts';
import { ModeType } from './event.ts';
import { given } from './given.ts';
import { checkPageSize, MAX_PAGE_SIZE, PAGE_SIZE, type PageArguments } from './lists.ts';
import { own, ownPartner } from './own.ts';

/** Fewer than of other lists: counting looks at each row, and not only at its entry in an index. */
const MOST_COUNTED = 1_000;

export const RequestFilterInput = builder.inputType('RequestFilter', {
  description: 'Omitted fields do not filter.',
  fields: (t) => ({
    operation: t.string({
      description:
        'An operation such as `tickets.list`, or a group such as `fan`, `token` or `sign_in`; see `requestOperations`.',
    }),
    outcome: t.string({ description: '`ok`, `failed`, or the stable code of a refusal.' }),
    status: t.string({ description: 'A number such as `404`, or a class such as `4xx`.' }),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime', description: 'Only before this time.' }),
  }),
});

const ReplayType = builder.objectRef<Replay>('Replay').implement({
  description:
    'How to make a call of the same kind again. Tokens, codes and bodies are never stored, so they are placeholders.',
  fields: (t) =>
    forPartners({
      method: t.exposeString('method'),
      url: t.exposeString('url'),
      curl: t.exposeString('curl', {
        description: 'A command for a shell. Values to fill in are variables such as `$ACCESS_TOKEN`.',
      }),
      variables: t.exposeStringList('variables', { description: 'The variables of the command.' }),
    }),
});

const LoggedRequestType = builder.objectRef<RequestRow>('LoggedRequest').implement({
  description: 'One answered request. Contains no secrets and no body.',
  fields: (t) => ({
    ...forPartners({
      replay: t.field({
        type: ReplayType,
        nullable: true,
        description: 'Null for what only browsers of fans call.',
        resolve: ({ operation, client_id: client }, _args, { context }) =>
          replayOf(context.config, { operation, clientId: client && idOf('client', client) }) ?? null,
      }),
    }),
    ...forBoth({
      id: t.exposeID('id', { description: '`X-Request-Id` of the answer.' }),
      at: t.expose('at', { type: 'DateTime' }),
      operation: t.exposeString('operation'),
      label: t.string({
        description: 'What was called, such as `GET /tickets`.',
        resolve: calledBy,
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
        description: 'How the caller can fix it; null for a request that was not refused.',
        resolve: (row) => fixOf(row) ?? null,
      }),
      durationMs: t.exposeInt('duration_ms'),
      client: t.field({
        type: ClientType,
        nullable: true,
        resolve: ({ client_id: client }) => client && idOf('client', client),
      }),
    }),
  }),
});

const NamedType = builder.objectRef<{ name: string; label: string }>('RequestOperation').implement({
  description: 'An operation, or a group of operations, to filter requests by.',
  fields: (t) => forBoth({ name: t.exposeString('name'), label: t.exposeString('label') }),
});

/** A call without a client is never in a partner's log. */
const OF_CLIENTS =
  /^(fan|token|sign_in)$|^(authorize|login|token|userinfo|receipts|tickets|listings|claims|notifications)\./;

/** The part of the log that a caller may read: for a member of a partner, the calls of the partner's clients. */
function ownRequests(call: Call): Pick<RequestListFilter, 'partnerId'> {
  const { partner } = own(call);
  return partner === undefined ? {} : { partnerId: partner };
}

builder.queryFields((t) => ({
  ...forBoth({
    requests: t.connection({
      type: LoggedRequestType,
      authScopes: right('console:read'),
      description: 'The request log, newest first. Its total is counted up to 1,000.',
      args: {
        filter: t.arg({ type: RequestFilterInput }),
        clientId: t.arg.id({ description: 'All clients if omitted.' }),
        mode: t.arg({ type: ModeType, description: 'Only clients of this mode.' }),
      },
      resolve: async (_, { filter, clientId, mode, ...page }, call) => {
        const wanted: RequestListFilter = {
          ...given(filter ?? {}),
          ...ownRequests(call),
          ...(clientId && { clientId: knownId('client', clientId) }),
          ...(mode && { mode }),
        };
        const rows = await pageOfRequests(call.context, wanted, page);
        return { ...rows, countUpTo: () => countRequests(call.context, wanted, MOST_COUNTED + 1), most: MOST_COUNTED };
      },
    }),
    requestOperations: t.field({
      type: [NamedType],
      authScopes: right('console:read'),
      description: 'The values of `operation` in a filter.',
      resolve: (_, _args, { viewer }) =>
        isMember(viewer) ? OPERATION_FILTERS.filter(({ name }) => OF_CLIENTS.test(name)) : OPERATION_FILTERS,
    }),
    requestRefusals: t.stringList({
      authScopes: right('console:read'),
      description: 'The error codes of refused requests in the log, for `outcome` in a filter.',
      resolve: (_, _args, call) => refusalsInLog(call.context, ownRequests(call)),
    }),
  }),
  ...forPartners({
    requestForPartners: t.field({
      type: LoggedRequestType,
      nullable: true,
      description: 'A request of your clients in the log, by the `X-Request-Id` of its answer.',
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_, { id }, call) => (await readPartnerRequest(call.context, id, ownPartner(call))) ?? null,
    }),
  }),
}));

/** A page of the request log, newest first. @throws DomainError `invalid_request` for a bad cursor, size or filter */
function pageOfRequests(context: Pick<ServiceContext, 'pool' | 'now'>, wanted: RequestListFilter, page: PageArguments) {
  checkPageSize(page);
  return resolveCursorConnection(
    { args: page, defaultSize: PAGE_SIZE, maxSize: MAX_PAGE_SIZE, toCursor },
    ({ before, after, limit, inverted }: ResolveCursorConnectionArgs) => {
      if (before && after) throw new DomainError('invalid_request', 'Give after or before, not both.');
      const beyond = placeOf(inverted ? before : after);
      return listRequests(context, wanted, { direction: inverted ? 'oldest' : 'newest', beyond, limit });
    },
  );
}

/** Rows have whole milliseconds. */
function toCursor({ at, id }: RequestRow): string {
  return `${at.getTime()}_${id}`;
}

/** @throws DomainError for a cursor of another list */
function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = cursor.split('_');
  const at = new Date(Number(time));
  if (!/^\d{1,15}$/.test(time) || Number.isNaN(at.getTime()) || !isUuid(id)) {
    throw new DomainError('invalid_request', 'The cursor belongs to another list.');
  }
  return { at, id };
}
