import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { StaffToken } from '../entities/staff-token.ts';
import { DomainError } from '../errors.ts';
import { isId } from '../identifier/type-id.ts';
import { actorOf, requireRight, type SignedInStaff } from './rights.ts';

/**
 * Revokes a token: one's own, or another's with the right `staff:write`.
 * @throws DomainError `not_found`, `conflict` where it is revoked already, `forbidden`, `fresh_sign_in_required`
 */
export async function revokeStaffToken(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  tokenId: string,
  staff: SignedInStaff,
): Promise<StaffToken> {
  if (staff.scopes !== null) throw new DomainError('forbidden', 'A token can’t revoke tokens: sign in to the console.');
  return context.em.fork().transactional(async (em) => {
    const token = isId('stk', tokenId) ? await em.findOne(StaffToken, { id: tokenId }) : null;
    if (!token) throw new DomainError('not_found', 'There is no such token.');
    if (token.staff.id !== staff.id) requireRight(staff, 'staff:write', context.now());
    const revoked = await em.nativeUpdate(StaffToken, { id: token.id, revokedAt: null }, { revokedAt: context.now() });
    if (revoked !== 1) throw new DomainError('conflict', 'This token is revoked already.');
    const details = { name: token.name, owner: token.staff.id };
    const fact = { actor: actorOf(staff), action: 'staff_token.revoked', subject: tokenId, details } as const;
    recordAudit({ ...context, em }, fact);
    return em.refreshOrFail(token);
  });
}
