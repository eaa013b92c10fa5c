import { ErrorResponse } from 'oidc-client-ts';
import { RefusedError } from './partner.ts';

/** A summary and the service's own words: this page is for debugging. */
export type Problem = { summary: string; raw: string };

const OAUTH_SUMMARIES: Record<string, string> = {
  access_denied: 'The fan did not allow the access.',
  invalid_grant: 'The refresh token is no longer valid: it was revoked, used before, or has expired. Sign in again.',
};

/** Describes an error of the library or of the Fan API. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof ErrorResponse) {
    const raw = JSON.stringify({ error: error.error, error_description: error.error_description });
    return { summary: OAUTH_SUMMARIES[error.error ?? ''] ?? 'The authorization server refused this.', raw };
  }
  if (error instanceof RefusedError) {
    if (error.status === 401) return { summary: 'The access token has expired or was revoked.', raw: error.message };
    return { summary: 'The service refused this.', raw: error.message };
  }
  return { summary: 'This did not work.', raw: error instanceof Error ? error.message : String(error) };
}
