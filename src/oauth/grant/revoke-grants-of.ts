import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';

const REASON = 'revoked_by_staff';
/** Grants per transaction. */
const BATCH = 1000;

/** Their sales end with the client's row in `ended_access`, so that they need no row each. */
const endSome = prepared<{ id: Uuid }>(`
  with alive as (
    select id from consent_grant where client_id = $1 and revoked_at is null and created_at <= $4
    order by id limit ${BATCH} for no key update
  )
  update consent_grant g set revoked_at = $2, revoked_reason = $3, sales_kept_at = $2 from alive where g.id = alive.id
  returning g.id`);

/**
 * Ends the grants of a client, each with an audit entry, in batches: a run that is cut off is continued by the next one.
 * @param decided when: grants that were given later stay
 * @param by who decided it, as audit entries name them
 * @param limit once aborted, no further batch begins
 */
export async function revokeGrantsOf(
  { pool, now, requestId }: Pick<Context, 'pool' | 'now' | 'requestId'>,
  client: Uuid,
  { at, by, note }: { at: Date; by: string; note: string },
  limit?: AbortSignal,
): Promise<void> {
  await inBatches(
    BATCH,
    () =>
      inTransaction(pool, async (tx) => {
        const ended = await endSome(tx, [client, now(), REASON, at]);
        const details = { reason: REASON, note } as const;
        const entries = ended.map(({ id }) => ({
          action: 'grant.revoked' as const,
          subject: idOf('grant', id),
          details,
        }));
        await recordAudits(tx, entries, { actor: by, requestId, now: now() });
        return ended.length;
      }),
    limit,
  );
}
