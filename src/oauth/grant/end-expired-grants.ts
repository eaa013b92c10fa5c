import type { RevocationReason } from '../../entities/consent-grant.ts';
import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../lifetimes.ts';

const REASON: RevocationReason = 'expired';
/** Grants per transaction. */
const BATCH = 1000;

/**
 * Checks the grants whose `ends_after` has passed: revokes those whose last token has expired, and moves `ends_after` of the others to that
 * expiry. So a grant is checked only two or three times. Locked grants are left for the next run, so several processes can share the work.
 */
const endDue = prepared<{ id: Uuid; ended: boolean }>(`
  with due as (
    select g.id, ${grantEnd('$2')} as over_at from consent_grant g
    where g.revoked_at is null and g.ends_after <= $1
    order by g.ends_after limit ${BATCH} for no key update of g skip locked
  )
  update consent_grant g
  set ends_after = due.over_at,
    revoked_at = case when due.over_at <= $1 then $1::timestamptz end,
    revoked_reason = case when due.over_at <= $1 then '${REASON}' end
  from due where due.id = g.id
  returning g.id, g.revoked_at is not null as ended`);

/** Ends grants whose code, refresh token and access tokens have all expired. @param limit once aborted, no further batch begins */
export async function endExpiredGrants(
  { pool, now, config, requestId }: Pick<Context, 'pool' | 'now' | 'config' | 'requestId'>,
  limit?: AbortSignal,
): Promise<void> {
  // one timestamp for the whole run, so that the portal shows the ended grants as one entry
  const at = now();
  const endBatch = () =>
    inTransaction(pool, async (client) => {
      const due = await endDue(client, [at, config.accessTokenTtl]);
      const ended = due
        .filter((grant) => grant.ended)
        .map(({ id }) => ({
          action: 'grant.revoked' as const,
          subject: idOf('grant', id),
          details: { reason: REASON },
        }));
      await recordAudits(client, ended, { actor: 'system', requestId, now: at });
      return due.length;
    });
  await inBatches(BATCH, endBatch, limit);
}

/** When the tokens of a grant without a refresh token have expired, even if its code was exchanged in the code's last second. */
export function earliestEnd(createdAt: Date, accessTokenTtl: number): Date {
  return after(createdAt, AUTHORIZATION_CODE_LIFETIME + accessTokenTtl);
}

/**
 * SQL over `consent_grant g`: when every token of a grant has expired. A refresh does not extend its family, but may
 * issue an access token in the family's last second.
 * @param accessTokenTtl SQL: the placeholder of a number of seconds
 */
export function grantEnd(accessTokenTtl: string): string {
  return `greatest(g.created_at + make_interval(secs => ${AUTHORIZATION_CODE_LIFETIME}), (
    select max(f.expires_at) from refresh_token_family f where f.grant_id = g.id and f.revoked_at is null
  )) + make_interval(secs => ${accessTokenTtl})`;
}
