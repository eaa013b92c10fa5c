import { initTRPC } from '@trpc/server';
import { type PortalFan, requirePortalFan } from '../../src/portal/find-portal-session.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { describeFault, translated, translatedResult } from '../http/trpc-faults.ts';

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
    const { message, ...data } = describeFault(error);
    return { ...shape, message, data: { ...shape.data, ...data } };
  },
});

export const { router } = t;

/** A procedure for whoever comes. */
export const visitorProcedure = t.procedure.use(async ({ next }) => translatedResult(await next()));

/** A procedure for a fan who is signed in. */
export const fanProcedure = t.procedure.use(async ({ ctx, next }) => {
  const fan = await translated(() => requirePortalFan(ctx.context, ctx.secret));
  ctx.onFan(fan);
  return translatedResult(await next({ ctx: { ...ctx, fan } satisfies PortalCall & { fan: PortalFan } }));
});
