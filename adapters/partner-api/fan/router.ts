import type { Explanation } from '@fan-api/cosign-policy/explain';
import type { Context as Koa } from 'koa';
import { type GrantAccess, readGrantAccess } from '../../../src/oauth/grant/grant-access.ts';
import { requirePermission } from '../../../src/oauth/grant/permission.ts';
import type { AccessTokenPayload } from '../../../src/oauth/token/verify-access-token.ts';
import { findPollingEndpoint, pollNotifications } from '../../../src/partners/notification/poll-notifications.ts';
import { type Action, REQUIRED_ACTIONS } from '../../../src/partners/scopes.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import type { CallSubject } from '../../../src/sandbox/failure/bring-about.ts';
import { executeClaims } from '../../../src/tickets/claim/execute-claims.ts';
import { explainClaimTransactions } from '../../../src/tickets/claim/explain-claim-transactions.ts';
import { explainListingTransactions } from '../../../src/tickets/listing/explain-listing-transactions.ts';
import { signListingTransactions } from '../../../src/tickets/listing/sign-listing-transactions.ts';
import { fetchTickets } from '../../../src/tickets/ticket/fetch-tickets.ts';
import { answerJson } from '../../http/answer-json.ts';
import { bearerToken, verifyBearer } from '../../http/bearer-token.ts';
import { partnerCors } from '../../http/cors.ts';
import { doCall } from '../../http/do-call.ts';
import { prefers } from '../../http/prefer.ts';
import { createSharedLimiter, type Limiter, limitCall } from '../../http/rate-limit.ts';
import { readJson } from '../../http/read-body.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { fanErrors } from './errors.ts';
import { toExplainResponse } from './explain-wire.ts';
import { PollSetsRequest, type PollSetsResponse } from './poll-wire.ts';
import {
  CreateAuthorizationRequest,
  checkShape,
  ExecuteClaimRequest,
  FetchTicketsQuery,
  type FetchWalletResponse,
  parseShape,
  toExecuteClaimResponse,
  toFetchTicketsResponse,
} from './wire.ts';

/** The Fan API (spec §4.1): parse, call, write. */
export function fanSurface(runtime: Runtime): Handler {
  const { apiUrl, fanRateLimit } = runtime.config;
  const base = basePath(apiUrl);
  const limiter = createSharedLimiter(runtime, 'fan', fanRateLimit);
  const routes: Route[] = [
    {
      path: `${base}/tickets`,
      methods: ['GET'],
      operation: 'tickets.list',
      async handle(ctx) {
        const token = await authenticate(runtime, ctx, limiter);
        const given = readQuery(ctx, Object.keys(FetchTicketsQuery.shape));
        const query = given instanceof DomainError ? given : checkShape(FetchTicketsQuery, given);
        await doCall(runtime, ctx, subjectOf(token, REQUIRED_ACTIONS.fetchTickets), async (context) => {
          if (query instanceof DomainError) {
            // a revoked grant or a missing permission is reported before a bad query
            await requirePermission(context, token, REQUIRED_ACTIONS.fetchTickets);
            throw query;
          }
          const { event_id: eventId, limit, cursor } = query;
          const page = await fetchTickets(context, token, { eventId, limit, cursor });
          if (page.next !== undefined) ctx.set('Link', nextLink(`${apiUrl}/tickets`, query, page.next));
          answerJson(ctx, toFetchTicketsResponse(page));
        });
      },
    },
    {
      path: `${base}/authorizations`,
      methods: ['POST'],
      operation: 'listings.sign',
      async handle(ctx) {
        await authorized(runtime, ctx, limiter, REQUIRED_ACTIONS.createAuthorization, async (context, access) => {
          const isExplained = isToBeExplained(ctx, access);
          if (isExplained) ctx.state.operation = 'listings.explain';
          const request = parseShape(CreateAuthorizationRequest, await readJson(ctx));
          if (isExplained) answerExplained(ctx, await explainListingTransactions(context, access, request));
          else ctx.body = { transactions: await signListingTransactions(context, access, request) };
        });
      },
    },
    {
      path: `${base}/claims/execute`,
      methods: ['POST'],
      operation: 'claims.execute',
      async handle(ctx) {
        await authorized(runtime, ctx, limiter, REQUIRED_ACTIONS.executeClaim, async (context, access) => {
          const isExplained = isToBeExplained(ctx, access);
          if (isExplained) ctx.state.operation = 'claims.explain';
          const { tickets } = parseShape(ExecuteClaimRequest, await readJson(ctx));
          const transactions = tickets.map(({ tx }) => tx);
          if (isExplained) answerExplained(ctx, await explainClaimTransactions(context, access, transactions));
          else ctx.body = toExecuteClaimResponse(await executeClaims(context, access, transactions));
        });
      },
    },
    {
      path: `${base}/wallet`,
      methods: ['GET'],
      operation: 'wallet.read',
      async handle(ctx) {
        await authorized(runtime, ctx, limiter, REQUIRED_ACTIONS.fetchWallet, async (_, { wallet }) => {
          answerJson(ctx, { wallet_address: wallet } satisfies FetchWalletResponse);
        });
      },
    },
    pollRoute(runtime, base, limiter),
  ];
  // every answer, also of unknown addresses, allows these origins and has `no-store` (`errors.ts`)
  return serveRoutes(routes, { cors: partnerCors(runtime, ['GET', 'POST']), errors: fanErrors(runtime.log) });
}

/** Verifies the access token and counts the call against its grant's limit. */
async function authenticate(runtime: Runtime, ctx: RequestContext, limiter: Limiter): Promise<AccessTokenPayload> {
  const token = await verifyBearer(runtime, ctx);
  await limitCall(ctx, limiter, token.grant_id);
  return token;
}

/** Authenticates, reads the access for one action, and runs the call. */
async function authorized(
  runtime: Runtime,
  ctx: RequestContext,
  limiter: Limiter,
  action: Action,
  call: (context: ServiceContext, access: GrantAccess) => Promise<void>,
): Promise<void> {
  const token = await authenticate(runtime, ctx, limiter);
  const context = createContext(runtime, ctx.state.requestId);
  await doCall(context, ctx, subjectOf(token, action), async (within) =>
    call(within, await readGrantAccess(within, token, action)),
  );
}

function subjectOf(token: AccessTokenPayload, action: Action): CallSubject {
  return { clientId: token.client_id, token, action };
}

/** In production the preference is ignored, as RFC 7240 §2 allows: a real fan's tickets are not for trying things (D-279). */
function isToBeExplained(ctx: RequestContext, { mode }: GrantAccess): boolean {
  return mode === 'sandbox' && prefers(ctx, 'explain');
}

/** @see RFC 7240 §3 */
function answerExplained(ctx: RequestContext, explanations: readonly Explanation[]): void {
  ctx.set('Preference-Applied', 'explain');
  answerJson(ctx, toExplainResponse(explanations));
}

/**
 * The query parameters of an operation. Unknown ones are ignored. One given twice or as a list (`name[]=`, `name[0]=`) is
 * refused, because a part of it would be lost.
 * @returns the given parameters, or the DomainError `invalid_request` that names the bad one
 */
function readQuery(ctx: Koa, known: readonly string[]): Record<string, string> | DomainError {
  // not ctx.URL, which is empty where the Host header is invalid
  const parameters = new URLSearchParams(ctx.querystring);
  const given: Record<string, string> = {};
  for (const name of known) {
    const values = parameters.getAll(name);
    const asList = [...parameters.keys()].some((key) => key.startsWith(`${name}[`));
    if (values.length > 1 || asList) {
      return new DomainError('invalid_request', `${name} must be given once, as ${name}=value`);
    }
    if (values[0] !== undefined) given[name] = values[0];
  }
  return given;
}

/** @see RFC 8288 */
function nextLink(url: string, { event_id, limit }: FetchTicketsQuery, cursor: string): string {
  const next = new URLSearchParams({ ...(event_id !== undefined && { event_id }), limit: String(limit), cursor });
  return `<${url}?${next}>; rel="next"`;
}

/**
 * Polls for Security Event Tokens. The bearer token is that of an endpoint, and belongs on the partner's server: clients are public, so
 * there is no other secret that could identify one (D-313).
 * @see RFC 8936 §2
 */
function pollRoute(runtime: Runtime, base: string, limiter: Limiter): Route {
  return {
    path: `${base}/notifications/poll`,
    methods: ['POST'],
    operation: 'notifications.poll',
    async handle(ctx) {
      const endpoint = await findPollingEndpoint(runtime, bearerToken(ctx.get('Authorization')));
      ctx.state.caller = { client: endpoint.client_id };
      await limitCall(ctx, limiter, endpoint.id);
      const request = parseShape(PollSetsRequest, await readJson(ctx));
      const gone = new AbortController();
      ctx.res.once('close', () => gone.abort());
      answerJson(ctx, (await pollNotifications(runtime, endpoint, request, gone.signal)) satisfies PollSetsResponse);
    },
  };
}
