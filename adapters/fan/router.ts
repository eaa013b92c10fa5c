import Router from '@koa/router';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { executeClaims } from '../../src/claim/execute-claims.ts';
import { DomainError } from '../../src/errors.ts';
import { requirePermission } from '../../src/grant/permission.ts';
import { signListingTransactions } from '../../src/listing/sign-listing-transactions.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { fetchTickets } from '../../src/ticket/fetch-tickets.ts';
import { checkRequest } from '../http/check-request.ts';
import { partnerCors } from '../http/cors.ts';
import { createLimiter } from '../http/rate-limit.ts';
import { readJson } from '../http/read-body.ts';
import { learn } from '../http/record-requests.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { authenticate, authorize } from './bearer.ts';
import { fanErrors } from './errors.ts';
import { readQuery } from './read-query.ts';
import {
  CreateAuthorizationRequest,
  checkShape,
  ExecuteClaimRequest,
  FetchTicketsQuery,
  parseShape,
  toExecuteClaimResponse,
  toFetchTicketsResponse,
} from './wire.ts';

/** The Fan API (spec §4.1): parse, call, write. */
export function fanSurface(runtime: Runtime): Middleware<RequestState> {
  const { apiUrl, fanRateLimit } = runtime.config;
  const limiter = createLimiter(fanRateLimit);
  const router = new Router<RequestState>({ prefix: basePath(apiUrl) });

  router.get('/tickets', async (ctx) => {
    learn(ctx, { operation: 'tickets.list' });
    const context = createContext(runtime, ctx.state.requestId);
    const token = await authenticate(context, ctx, limiter);
    const given = readQuery(ctx, Object.keys(FetchTicketsQuery.shape));
    const query = given instanceof DomainError ? given : checkShape(FetchTicketsQuery, given);
    if (query instanceof DomainError) {
      // a dead grant or a missing permission is told before a fault of the query
      await requirePermission(context, token, 'fan:tickets:read');
      throw query;
    }
    const page = await fetchTickets(context, token, {
      eventId: query.event_id,
      limit: query.limit,
      cursor: query.cursor,
    });
    if (page.next !== undefined) ctx.set('Link', nextLink(`${apiUrl}/tickets`, query, page.next));
    ctx.body = toFetchTicketsResponse(page);
  });

  router.post('/authorizations', async (ctx) => {
    learn(ctx, { operation: 'listings.sign' });
    const context = createContext(runtime, ctx.state.requestId);
    const access = await authorize(context, ctx, limiter, 'fan:listings:write');
    const request = parseShape(CreateAuthorizationRequest, await readJson(ctx));
    ctx.body = { transactions: await signListingTransactions(context, access, request) };
  });

  router.post('/claims/execute', async (ctx) => {
    learn(ctx, { operation: 'claims.execute' });
    const context = createContext(runtime, ctx.state.requestId);
    const access = await authorize(context, ctx, limiter, 'fan:claims:write');
    const { tickets } = parseShape(ExecuteClaimRequest, await readJson(ctx));
    const transactions = tickets.map(({ tx }) => tx);
    ctx.body = toExecuteClaimResponse(await executeClaims(context, access, transactions));
  });

  return compose([
    partnerCors(runtime, ['GET', 'POST']),
    fanErrors(runtime.log),
    checkRequest(),
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}

/** @see RFC 8288 */
function nextLink(url: string, { event_id, limit }: FetchTicketsQuery, cursor: string): string {
  const next = new URLSearchParams({ ...(event_id !== undefined && { event_id }), limit: String(limit), cursor });
  return `<${url}?${next}>; rel="next"`;
}
