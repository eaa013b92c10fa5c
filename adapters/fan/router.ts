import Router from '@koa/router';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { createContext, type Runtime } from '../../src/context.ts';
import { DomainError } from '../../src/errors.ts';
import { fetchTickets } from '../../src/ticket/fetch-tickets.ts';
import { partnerCors } from '../http/cors.ts';
import { createLimiter } from '../http/rate-limit.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { authenticate } from './bearer.ts';
import { fanErrors } from './errors.ts';
import { FetchTicketsQuery, parseShape, toFetchTicketsResponse } from './wire.ts';

/** The Fan API (spec §4.1): parse, call, write. */
export function fanSurface(runtime: Runtime): Middleware<RequestState> {
  const { apiUrl, fanRateLimit } = runtime.config;
  const limiter = createLimiter(fanRateLimit);
  const router = new Router<RequestState>({ prefix: basePath(apiUrl) });

  router.get('/tickets', async (ctx) => {
    const context = createContext(runtime, ctx.state.requestId);
    const token = await authenticate(context, ctx, limiter);
    const query = parseShape(FetchTicketsQuery, singleValues(ctx.URL.searchParams));
    const page = await fetchTickets(context, token, {
      eventId: query.event_id,
      limit: query.limit,
      cursor: query.cursor,
    });
    if (page.next !== undefined) ctx.set('Link', nextLink(`${apiUrl}/tickets`, ctx.URL.searchParams, page.next));
    ctx.set('Cache-Control', 'no-store');
    ctx.body = toFetchTicketsResponse(page);
  });

  return compose([
    partnerCors(runtime, ['GET', 'POST']),
    fanErrors(runtime.log),
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}

function singleValues(parameters: URLSearchParams): Record<string, string> {
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1)
      throw new DomainError('invalid_request', `${name}: must not be given more than once`);
  }
  return Object.fromEntries(parameters);
}

/** @see RFC 8288 */
function nextLink(url: string, parameters: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(parameters);
  next.set('cursor', cursor);
  return `<${url}?${next}>; rel="next"`;
}
