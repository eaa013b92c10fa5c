import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { DomainError, type DomainErrorCode } from '../../src/errors.ts';
import { isDependencyDown } from './dependency.ts';

/** How the tRPC surfaces (login pages, portal) tell of a refusal: a status, a stable reason, a message for a person. */

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

/** Does work outside a procedure, whose refusals are then told as those of one. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

/** The result of a procedure, or its refusal thrown as tRPC tells it. */
export function translatedResult<Result extends { ok: true } | { ok: false; error: TRPCError }>(
  result: Result,
): Result {
  if (result.ok) return result;
  // tRPC wraps what a procedure threw; its own refusals (of the input, say) have a code of their own
  const { code, cause } = result.error;
  throw code === 'INTERNAL_SERVER_ERROR' && cause ? translate(cause) : result.error;
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
