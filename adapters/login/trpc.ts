import { initTRPC, TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { findSession, type OpenSession } from '../../src/authorization/find-session.ts';
import type { Context } from '../../src/context.ts';
import { DomainError, type DomainErrorCode } from '../../src/errors.ts';
import { isDependencyDown } from '../http/dependency.ts';

/** What a call of the login page comes with. */
export interface LoginCall {
  context: Context;
  browserSecret: string | undefined;
  /** Which of the browser's sessions the page is for; undefined means the newest. */
  sessionId: string | undefined;
  /** Told the session, once it is found. */
  onSession(session: OpenSession): void;
}

/** What the page learns of an error beside its message. */
interface ErrorData {
  reason: DomainErrorCode | 'internal';
  retryAfter?: number | undefined;
}

const STATUS: Partial<Record<DomainErrorCode, TRPC_ERROR_CODE_KEY>> = {
  session_not_found: 'NOT_FOUND',
  session_expired: 'UNAUTHORIZED',
  session_elsewhere: 'UNAUTHORIZED',
  wrong_step: 'CONFLICT',
  resend_too_soon: 'TOO_MANY_REQUESTS',
  rate_limited: 'TOO_MANY_REQUESTS',
  too_many_tries: 'TOO_MANY_REQUESTS',
  verification_unavailable: 'SERVICE_UNAVAILABLE',
  unavailable: 'SERVICE_UNAVAILABLE',
};

const t = initTRPC.context<LoginCall>().create({
  // stack traces are for the log
  isDev: false,
  errorFormatter({ shape, error }) {
    const { message, ...data } = describeFault(error);
    return { ...shape, message, data: { ...shape.data, ...data } };
  },
});

export const { router } = t;

/** A procedure bound to the session that the caller's browser started. */
export const sessionProcedure = t.procedure.use(async ({ ctx, next }) => {
  const session = await translated(() => findSession(ctx.context, ctx.browserSecret, ctx.sessionId));
  ctx.onSession(session);
  const result = await next({ ctx: { ...ctx, session } satisfies LoginCall & { session: OpenSession } });
  if (result.ok) return result;
  // tRPC wraps what a procedure threw; its own refusals (of the input, say) have a code of their own
  const { code, cause } = result.error;
  throw code === 'INTERNAL_SERVER_ERROR' && cause ? translate(cause) : result.error;
});

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  if (error instanceof DomainError) {
    return new TRPCError({ code: STATUS[error.code] ?? 'BAD_REQUEST', message: error.message, cause: error });
  }
  return new TRPCError({
    code: isDependencyDown(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR',
    cause: error,
  });
}

/** What a refused call is told: a stable reason, and a message for a person. */
export function describeFault(error: TRPCError): ErrorData & { message: string } {
  const { cause } = error;
  if (cause instanceof DomainError) return { reason: cause.code, retryAfter: cause.retryAfter, message: cause.message };
  switch (error.code) {
    case 'INTERNAL_SERVER_ERROR':
      return { reason: 'internal', message: 'Something went wrong on our side.' };
    case 'SERVICE_UNAVAILABLE':
      return { reason: 'unavailable', message: 'The service is unavailable for the moment; try again.' };
    case 'NOT_FOUND':
      return { reason: 'not_found', message: error.message };
    default:
      return { reason: 'invalid_request', message: inputFault(cause) ?? error.message };
  }
}

/** The first thing that is wrong with the input, with the name of its field. */
function inputFault(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('issues' in cause) || !Array.isArray(cause.issues)) return undefined;
  const [issue] = cause.issues as { path: PropertyKey[]; message: string }[];
  return issue && `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`;
}
