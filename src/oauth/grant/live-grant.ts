import { fanStopped } from '../../entities/stopped.ts';
import { usableClient } from '../../partners/client/usable-client.ts';
import type { Context } from '../../platform/context.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { DomainError } from '../../platform/errors.ts';
import { tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';

/** The part of an access token's payload that describes its grant. The token stops working when the grant ends. */
export interface GrantClaims {
  /** `grant_…` */
  readonly grant_id: string;
  /** Space-delimited. */
  readonly scope: string;
  readonly granted_actions: readonly string[];
}

/**
 * SQL over `consent_grant g` and `client c`: whether the grant is not revoked, its client usable, and neither client nor fan
 * stopped. Every call with a token checks it, so a revocation takes effect on the next call.
 */
export const LIVE_GRANT = `(g.revoked_at is null and ${usableClient('c')} and not exists (${fanStopped('g.fan_id')}))`;

interface LiveRow {
  n: number;
  live: boolean;
  actions: string[];
}

const readGrant = shareStatement<{ grant: Uuid }, LiveRow>(
  () => `
  select e.n, ${LIVE_GRANT} as live, g.actions
  from ${givenRows('"grant" uuid')} e join consent_grant g on g.id = e.grant join client c on c.id = g.client_id`,
);

/**
 * @returns the token's actions that the fan has not turned off
 * @throws DomainError `grant_revoked` where the token's grant is not live
 */
export async function requireLiveGrant({ pool }: Pick<Context, 'pool'>, token: GrantClaims): Promise<string[]> {
  const grant = await readGrant.together(pool, { grant: grantUuid(token) });
  if (!grant?.live) throw grantRevoked();
  return token.granted_actions.filter((action) => grant.actions.includes(action));
}

/** The `uuid` of the token's grant. @throws DomainError `access_token_invalid` */
export function grantUuid({ grant_id }: Pick<GrantClaims, 'grant_id'>): Uuid {
  const uuid = tryUuidOf('grant', grant_id);
  if (uuid === undefined)
    throw new DomainError('access_token_invalid', 'The access token is invalid: its grant_id is wrong.');
  return uuid;
}

/** The error for a token whose grant is not live. */
export function grantRevoked(): DomainError {
  return new DomainError('grant_revoked', 'The access of this token has been revoked.');
}
