import { FanApiError, OAuthError, SignInRequiredError } from '@fan-api/sdk';
import { errorCodeOf, messageOf } from './call.ts';
import type { AnsweredCall } from './send.ts';

/** What people read of a refused call; undefined where it was not refused. */
export function describeRefusal({ title, answer }: AnsweredCall): string | undefined {
  if (answer.status < 400) return undefined;
  const code = errorCodeOf(answer);
  const message = messageOf(answer);
  return `${title}: ${answer.status}${code === undefined ? '' : ` ${code}`}. ${message ?? ''}`.trim();
}

/** What people read of an error: of the SDK with status and code, of anything else its message. */
export function describeError(error: unknown): string {
  if (error instanceof FanApiError) return `${error.status} ${error.code ?? ''}. ${error.message}`;
  if (error instanceof OAuthError) return `${error.status === 0 ? '' : `${error.status} `}${error.message}`;
  if (error instanceof SignInRequiredError && error.cause !== undefined) {
    return `${error.message} ${describeError(error.cause)}`;
  }
  return error instanceof Error ? error.message : String(error);
}
