import { LockMode } from '@mikro-orm/core';
import { Staff, StaffToken } from '../../entities/staff.ts';
import { actorOf, RIGHT_NAMES, requireRight, type SignedInStaff, tokenMayHave } from '../../partners/rights.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import { hashOf, newStaffTokenValue, type StaffTokenValue } from '../../platform/identifier/secret-value.ts';
import { isId, newId } from '../../platform/identifier/type-id.ts';
import { after, DAY } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

export interface TokenWish {
  /** 1 to 120 characters. */
  name: string;
  /** Rights (`rights.ts`) that the owner has and that need no fresh sign-in. */
  scopes: string[];
  /** 1 to 365. */
  days: number;
}

/** Live tokens per person. */
const MAX_TOKENS = 50;

/**
 * Creates an access token for automation. The value is shown once; the database holds its hash.
 * @throws DomainError `invalid_request` naming the field, `forbidden` for a token as owner, `conflict` at 50 tokens
 */
export async function createStaffToken(
  context: WriteContext,
  wish: TokenWish,
  owner: SignedInStaff,
): Promise<{ token: StaffToken; value: StaffTokenValue }> {
  if (owner.scopes !== null) throw new DomainError('forbidden', 'A token can’t create tokens. Sign in to the console.');
  const fault = wishFault(wish, owner);
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  return context.em.fork().transactional(async (em) => {
    const { now } = context;
    // locked: disabling the owner waits, and then revokes this token too
    const staff = await em.findOne(Staff, { id: owner.id, disabledAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!staff) throw new DomainError('forbidden', 'An admin has disabled your access.');
    const live = await em.count(StaffToken, { staff, revokedAt: null, expiresAt: { $gt: now() } });
    if (live >= MAX_TOKENS) throw new DomainError('conflict', `You have ${MAX_TOKENS} tokens. Revoke one first.`);
    const value = newStaffTokenValue();
    const token = em.create(StaffToken, {
      id: newId('stk'),
      staff,
      name: wish.name.trim(),
      secretHash: hashOf(value),
      scopes: wish.scopes,
      createdAt: now(),
      expiresAt: after(now(), wish.days * DAY),
    });
    const details = { name: token.name, scopes: wish.scopes, days: wish.days };
    const fact = { actor: actorOf(owner), action: 'staff_token.created', subject: token.id, details } as const;
    recordAudit({ ...context, em }, fact);
    return { token, value };
  });
}

function wishFault({ name, scopes, days }: TokenWish, { role }: SignedInStaff): string | undefined {
  const fault = nameFault(name);
  if (fault !== undefined) return `name ${fault}.`;
  if (!Number.isInteger(days) || days < 1 || days > 365) return 'days must be a whole number from 1 to 365.';
  if (scopes.length === 0) return 'scopes must have at least one entry.';
  for (const [index, scope] of scopes.entries()) {
    const right = RIGHT_NAMES.find((known) => known === scope);
    if (right === undefined) return `scopes: ${scope.slice(0, 60)} is not a right.`;
    if (!tokenMayHave(role, right)) return `scopes: no token of yours can have ${right}.`;
    if (scopes.indexOf(scope) < index) return `scopes: ${right} is a duplicate.`;
  }
  return undefined;
}

/**
 * Revokes a token: one's own, or another's with the right `staff:write`.
 * @throws DomainError `not_found`, `conflict` where it is revoked already, `forbidden`, `fresh_sign_in_required`
 */
export async function revokeStaffToken(
  context: WriteContext,
  tokenId: string,
  staff: SignedInStaff,
): Promise<StaffToken> {
  if (staff.scopes !== null) throw new DomainError('forbidden', 'A token can’t revoke tokens. Sign in to the console.');
  return context.em.fork().transactional(async (em) => {
    const token = isId('stk', tokenId) ? await em.findOne(StaffToken, { id: tokenId }) : null;
    if (!token) throw new DomainError('not_found', 'This token was not found.');
    if (token.staff.id !== staff.id) requireRight(staff, 'staff:write', context.now());
    const revoked = await em.nativeUpdate(StaffToken, { id: token.id, revokedAt: null }, { revokedAt: context.now() });
    if (revoked !== 1) throw new DomainError('conflict', 'This token is already revoked.');
    const details = { name: token.name, owner: token.staff.id };
    const fact = { actor: actorOf(staff), action: 'staff_token.revoked', subject: tokenId, details } as const;
    recordAudit({ ...context, em }, fact);
    return em.refreshOrFail(token);
  });
}
