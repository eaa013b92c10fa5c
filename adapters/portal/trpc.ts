import { initTRPC } from '@trpc/server';
import { type PortalFan, requirePortalFan } from '../../src/portal/find-portal-session.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { describeTrpcError, orTrpcError, withTrpcErrors } from '../http/trpc-errors.ts';

/** What a call of the portal comes with. */
export interface PortalCall {
  context: ServiceContext;
  /** What the browser's cookie holds. */
  secret: string | undefined;
  /** Of the browser. */
  address: string;
  /** Changes the cookie; undefined takes it away. */
  writeSecret(secret: string | undefined): void;
  /** Told the fan, once that is known. */
  onFan(fan: PortalFan): void;
}

const t = initTRPC.context<PortalCall>().create({
  // stack traces are for the log
  isDev: false,
  errorFormatter({ shape, error }) {
    const { message, ...data } = describeTrpcError(error);
    return { ...shape, message, data: { ...shape.data, ...data } };
  },
});

export const { router } = t;

/** A procedure for whoever comes. */
export const visitorProcedure = t.procedure.use(async ({ next }) => orTrpcError(await next()));

/** A procedure for a fan who is signed in. */
export const fanProcedure = t.procedure.use(async ({ ctx, next }) => {
  const fan = await withTrpcErrors(() => requirePortalFan(ctx.context, ctx.secret));
  ctx.onFan(fan);
  return orTrpcError(await next({ ctx: { ...ctx, fan } satisfies PortalCall & { fan: PortalFan } }));
});
