import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { RevocationReason } from '../../record/audit/audit-actions.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../lifetimes.ts';

const REASON: RevocationReason = 'expired';
/** Grants per transaction: locks are short, and an interrupted run keeps its progress. */
const BATCH = 1000;

/**
 * Checks grants that are due: postpones a grant with a live refresh token to the token's expiry, and revokes the others. Each grant
 * is read two or three times in its life. Locked grants are left for the next run, so several processes can share the work.
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

/** Ends grants whose code, refresh token and access tokens have all expired. @param limit ends the run at the end of a batch */
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

/** When the last token of a grant without a refresh token expires: its code may be exchanged in its last second. */
export function earliestEnd(createdAt: Date, accessTokenTtl: number): Date {
  return after(createdAt, AUTHORIZATION_CODE_LIFETIME + accessTokenTtl);
}

/**
 * SQL over `consent_grant g`: when the last token of a grant expires. Refreshing does not extend a family, but an
 * access token can still be issued in its last second.
 * @param accessTokenTtl SQL: a placeholder, in seconds
 */
export function grantEnd(accessTokenTtl: string): string {
  return `greatest(g.created_at + make_interval(secs => ${AUTHORIZATION_CODE_LIFETIME}), (
    select max(f.expires_at) from refresh_token_family f where f.grant_id = g.id and f.revoked_at is null
  )) + make_interval(secs => ${accessTokenTtl})`;
}
