import type { AnyTRPCRouter, inferRouterContext } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { operationOf } from '../../src/record/activity/operations.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { RETRY_AFTER_SECONDS } from './dependency.ts';
import { BODY_LIMIT_BYTES, refuseCoding } from './read-body.ts';
import type { RequestContext } from './request-state.ts';
import type { Route } from './routes.ts';
import { isCrossOrigin } from './same-origin.ts';
import { basePath } from './surface.ts';
import { describeTrpcError, toldByUs } from './trpc-errors.ts';

/** The calls that one of our pages makes. */
export interface PageCalls<Router extends AnyTRPCRouter> {
  router: Router;
  /** Address of the page: no other origin may call. */
  url: string;
  /** How its operations begin in the request log, such as `login`. */
  name: string;
  /** The context of its procedures. */
  callOf(ctx: RequestContext, context: ServiceContext): inferRouterContext<Router>;
}

/** The route `{page}/trpc/:procedure`, for the page's own scripts. */
export function trpcRoute<Router extends AnyTRPCRouter>(
  runtime: Runtime,
  { router, url, name, callOf }: PageCalls<Router>,
): Route {
  return {
    path: `${basePath(url)}/trpc/:procedure`,
    methods: ['GET', 'POST'],
    async handle(ctx) {
      const { requestId } = ctx.state;
      const path = String(ctx.params.procedure);
      ctx.state.operation = operationOf(`${name}.${path}`);
      if (isCrossOrigin(ctx, url)) {
        ctx.state.outcome = 'forbidden';
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
        // limits and the request log count one call per request
        allowBatching: false,
        createContext: async () => callOf(ctx, createContext(runtime, requestId)),
        onError({ error }) {
          const { reason, retryAfter = RETRY_AFTER_SECONDS } = describeTrpcError(error);
          if (error.code === 'SERVICE_UNAVAILABLE') ctx.res.setHeader('Retry-After', String(retryAfter));
          ctx.state.outcome = reason;
          const told = toldByUs(error);
          if (told !== undefined) ctx.state.message = told;
          // the sender of codes logs its own failures, once and not per fan
          if (reason === 'verification_unavailable') return;
          if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
            runtime.log.error({ err: error.cause ?? error, requestId, path }, `${name} call failed`);
          }
        },
      });
    },
  };
}
