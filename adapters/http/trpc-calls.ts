import type { AnyTRPCRouter, inferRouterContext } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Context as Koa } from 'koa';
import { operationOf } from '../../src/activity/operations.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { BODY_LIMIT_BYTES, refuseCoding } from './read-body.ts';
import { learn } from './record-requests.ts';
import type { RequestState } from './request-id.ts';
import { isCrossOrigin } from './same-origin.ts';
import { describeFault } from './trpc-faults.ts';

/** The calls that one of our pages makes. */
export interface PageCalls<Router extends AnyTRPCRouter> {
  router: Router;
  /** Address of the page: no other origin may call. */
  url: string;
  /** How its operations begin in the request log, such as `login`. */
  name: string;
  /** What its procedures work with. */
  callOf(ctx: Koa, context: ServiceContext): inferRouterContext<Router>;
}

/** Answers `{page}/trpc/:procedure` for the page's own scripts. */
export function trpcCalls<Router extends AnyTRPCRouter>(
  runtime: Runtime,
  { router, url, name, callOf }: PageCalls<Router>,
): (ctx: Koa) => Promise<void> {
  return async (ctx) => {
    const { requestId } = ctx.state as RequestState;
    const path = String(ctx.params.procedure);
    learn(ctx, { operation: operationOf(`${name}.${path}`) });
    if (isCrossOrigin(ctx, url)) {
      learn(ctx, { outcome: 'forbidden' });
      ctx.status = 403;
      ctx.body = { error: { message: 'These calls are for pages of ours only.' } };
      return;
    }
    refuseCoding(ctx);
    // tRPC writes to the bare response itself
    ctx.respond = false;
    ctx.res.statusCode = 200;
    ctx.res.setHeader('Cache-Control', 'no-store');
    await nodeHTTPRequestHandler({
      router,
      path,
      req: ctx.req,
      res: ctx.res,
      maxBodySize: BODY_LIMIT_BYTES,
      // one request, one call: that is what limits and the request log count
      allowBatching: false,
      createContext: async () => callOf(ctx, createContext(runtime, requestId)),
      onError({ error }) {
        const { reason } = describeFault(error);
        learn(ctx, { outcome: reason });
        // the sending of codes tells its troubles itself, once and not per fan
        if (reason === 'verification_unavailable') return;
        if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
          runtime.log.error({ err: error.cause ?? error, requestId, path }, `${name} call failed`);
        }
      },
    });
  };
}
