import { after } from '../../platform/time.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../lifetimes.ts';

/** When the last token of a grant without a refresh token expires: its code may be exchanged in the last second. */
export function earliestEnd(createdAt: Date, accessTokenTtl: number): Date {
  return after(createdAt, AUTHORIZATION_CODE_LIFETIME + accessTokenTtl);
}

/**
 * SQL over `consent_grant g`: when the last token of a grant expires. Refreshing does not extend a family, and its last
 * second is enough for one more access token.
 * @param accessTokenTtl SQL: a placeholder, in seconds
 */
export function grantEnd(accessTokenTtl: string): string {
  return `greatest(g.created_at + make_interval(secs => ${AUTHORIZATION_CODE_LIFETIME}), (
    select max(f.expires_at) from refresh_token_family f where f.grant_id = g.id and f.revoked_at is null
  )) + make_interval(secs => ${accessTokenTtl})`;
}
