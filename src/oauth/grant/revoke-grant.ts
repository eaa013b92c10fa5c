import { ConsentGrant, type RevocationReason } from '../../entities/consent-grant.ts';
import type { WriteContext } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { type SalesChoice, salesKept } from './own-grants.ts';

export interface Revocation {
  grantId: Id<'grant'>;
  reason: RevocationReason;
  actor: string;
  /** For the audit log, by the person who ended the grant. */
  note?: string;
  sales?: SalesChoice;
}

/**
 * Ends a grant and every token issued under it, immediately, because each use of a token reads the grant's row. Idempotent.
 * @returns whether this call ended the grant
 */
export async function revokeGrant(context: WriteContext, revocation: Revocation): Promise<boolean> {
  return context.em.fork().transactional((em) => revokeGrantWithin({ ...context, em }, revocation));
}

/** As `revokeGrant`, within the transaction of the caller. */
export async function revokeGrantWithin(
  context: WriteContext,
  { grantId, reason, actor, note, sales = {} }: Revocation,
): Promise<boolean> {
  const { em, now } = context;
  const revoked = await em.nativeUpdate(
    ConsentGrant,
    { id: grantId, revokedAt: null },
    { revokedAt: now(), revokedReason: reason, ...salesKept(context, sales) },
  );
  if (revoked === 0) return false;
  const details = { reason, ...(note !== undefined && { note }) };
  recordAudit(context, { actor, action: 'grant.revoked', subject: grantId, details });
  return true;
}
