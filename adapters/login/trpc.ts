import { initTRPC } from '@trpc/server';
import { findSession, type OpenSession } from '../../src/authorization/find-session.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { describeTrpcError, orTrpcError, withTrpcErrors } from '../http/trpc-errors.ts';

/** What a call of the login page comes with. */
export interface LoginCall {
  context: ServiceContext;
  browserSecret: string | undefined;
  /** Of the browser. */
  address: string;
  /** Which of the browser's sessions the page is for; undefined means the newest. */
  sessionId: string | undefined;
  /** Told the session, once it is found. */
  onSession(session: OpenSession): void;
}

const t = initTRPC.context<LoginCall>().create({
  // stack traces are for the log
  isDev: false,
  errorFormatter({ shape, error }) {
    const { message, ...data } = describeTrpcError(error);
    return { ...shape, message, data: { ...shape.data, ...data } };
  },
});

export const { router } = t;

/** A procedure bound to the session that the caller's browser started. */
export const sessionProcedure = t.procedure.use(async ({ ctx, next }) => {
  const session = await withTrpcErrors(() => findSession(ctx.context, ctx.browserSecret, ctx.sessionId));
  ctx.onSession(session);
  return orTrpcError(await next({ ctx: { ...ctx, session } satisfies LoginCall & { session: OpenSession } }));
});
