import { type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';
import { DomainError, type DomainErrorCode, ERRORS, type ErrorCode } from '../../src/platform/errors.ts';
import { isDependencyDown } from './dependency.ts';

/** Errors of the tRPC surfaces (login pages, portal): a status, a stable reason, a message for a person. */

/** What the page sees of an error. */
interface ErrorData {
  reason: ErrorCode;
  message: string;
  retryAfter?: number | undefined;
}

const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  // of the feed, which no page reads
  410: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** 401 and 404 mean the session of the page; a refusal about a grant is an ordinary one. */
const OVERRIDES: Partial<Record<DomainErrorCode, 400>> = { not_found: 400, grant_revoked: 400 };

/** Options of a page's tRPC: its errors, without the stack traces, which are for the log. */
export const TRPC_OPTIONS = {
  isDev: false,
  errorFormatter({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }) {
    const { message, ...data } = describeTrpcError(error);
    return { ...shape, message, data: { ...shape.data, ...data } };
  },
};

/** Runs work outside a procedure, with errors as a procedure has them. */
export async function withTrpcErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toTrpcError(error);
  }
}

/** The result of a procedure; a failed one is thrown. */
export function orTrpcError<Result extends { ok: true } | { ok: false; error: TRPCError }>(result: Result): Result {
  if (result.ok) return result;
  // tRPC wraps what a procedure threw; its own errors (of the input, say) have another code
  const { code, cause } = result.error;
  throw code === 'INTERNAL_SERVER_ERROR' && cause ? toTrpcError(cause) : result.error;
}

function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  if (error instanceof DomainError) {
    const code = TRPC_CODES[OVERRIDES[error.code] ?? ERRORS[error.code].status];
    return new TRPCError({ code, message: error.message, cause: error });
  }
  return new TRPCError({
    code: isDependencyDown(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR',
    cause: error,
  });
}

/** What the page sees of an error: a stable reason, and a message for a person. */
export function describeTrpcError(error: TRPCError): ErrorData {
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
      return { reason: 'invalid_request', message: describeBadInput(cause) ?? error.message };
  }
}

/** The message of our own rules, for the request log. Messages of libraries quote the input that they could not read. */
export function toldByUs({ cause }: TRPCError): string | undefined {
  return cause instanceof DomainError ? cause.message : describeBadInput(cause);
}

/** The first thing that is wrong with the input, with the name of its field. */
function describeBadInput(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('issues' in cause) || !Array.isArray(cause.issues)) return undefined;
  const [issue] = cause.issues as { path: PropertyKey[]; message: string }[];
  return issue && `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`;
}
