/**
 * The table of rights. The GraphQL schema names a right at every operation; a token carries a list of them.
 *
 * @module
 */

import { DomainError } from '../platform/errors.ts';
import { type Id, isId } from '../platform/identifier/type-id.ts';
import { STAFF_ROLES, type StaffRole } from '../platform/staff-role.ts';

interface Right {
  /** The lowest role that has it. */
  role: StaffRole;
  /** Whether it needs a sign-in of the last few minutes; no token can have such a right. */
  fresh: boolean;
  /** Description in the console. */
  says: string;
}

const right = (role: StaffRole, says: string, fresh = false): Right => ({ role, fresh, says });

export const RIGHTS = {
  'console:read': right('support', 'See partners, clients, test data, fans (masked) and activity'),
  'clients:write': right('support', 'Register and edit partners and clients, submit for review'),
  'members:write': right('support', 'Invite and remove people of partners, and set their roles'),
  'sandbox:write': right('support', 'Create and reset test users, test events and permits'),
  'fans:reveal': right('support', 'See a fan’s full phone number'),
  'grants:revoke': right('support', 'End a fan’s grants, sessions and passkeys, take tickets off sale'),
  'tokens:write': right('support', 'Create access tokens for automation', true),
  'proposals:write': right(
    'support',
    'Propose what a second person has to approve, such as moving a ticket to a wallet outside',
  ),
  'proposals:decide': right('reviewer', 'Approve and decline what others have proposed', true),
  'clients:review': right('reviewer', 'Approve and reject production clients'),
  'clients:suspend': right('reviewer', 'Suspend a production client'),
  'clients:enable': right('reviewer', 'Enable a production client, restore an approved registration', true),
  'audit:read': right('reviewer', 'Read, export and verify the audit log'),
  'inventory:read': right('support', 'Follow the feed of production tickets'),
  'inventory:write': right('admin', 'Import and change production events and tickets'),
  'tickets:take': right(
    'admin',
    'Give tickets to other holders, withdraw them, cancel events, upload mended rows',
    true,
  ),
  'keys:rotate': right('admin', 'Rotate signing keys', true),
  'switches:write': right('admin', 'Set and lift kill switches', true),
  'providers:write': right('admin', 'Set how the people of a partner sign in', true),
  'staff:write': right('admin', 'Manage who can use the console', true),
} satisfies Record<string, Right>;

export type RightName = keyof typeof RIGHTS;
export const RIGHT_NAMES = Object.keys(RIGHTS) as RightName[];

/** The rights that a service account may get: fewer than any person has. */
export const SERVICE_RIGHTS = ['inventory:write', 'inventory:read', 'console:read'] as const satisfies RightName[];

/** Seconds for which a sign-in counts as fresh. */
export const FRESH_SIGN_IN = 5 * 60;

/** The member of staff behind a call, by a browser's session or by a token. */
export interface SignedInStaff {
  id: Id<'stf'>;
  name: string;
  email: string | null;
  role: StaffRole;
  /** When the person last authenticated; null behind a token. */
  authenticatedAt: Date | null;
  /** Rights of the token; null for a session, which has all rights of the role. */
  scopes: readonly string[] | null;
  /** Undefined behind a token. */
  sessionId?: string;
  /** Undefined behind a session. */
  tokenId?: Id<'stk'>;
}

/** A machine behind a call, by a token of its service account. It is no person: it has no session, role or fresh sign-in. */
export interface ServiceCaller {
  id: Id<'sva'>;
  name: string;
  /** So that its scopes alone decide. */
  role: 'admin';
  authenticatedAt: null;
  /** Of `SERVICE_RIGHTS`. */
  scopes: readonly string[];
  tokenId: Id<'svt'>;
  /** Its own limit. */
  callsPerMinute: number;
}

/** Who makes a call of the console's API. */
export type StaffCaller = SignedInStaff | ServiceCaller;

export function isService(caller: StaffCaller): caller is ServiceCaller {
  return isId('sva', caller.id);
}

/** How audit entries name a caller: `staff:stf_…` or `service:sva_…`. */
export function actorOf({ id }: Pick<StaffCaller, 'id'>): string {
  return `${isId('sva', id) ? 'service' : 'staff'}:${id}`;
}

export function roleHas(role: StaffRole, right: RightName): boolean {
  return STAFF_ROLES.indexOf(role) >= STAFF_ROLES.indexOf(RIGHTS[right].role);
}

/** By the role and, behind a token, its scopes. */
export function hasRight({ role, scopes }: Pick<StaffCaller, 'role' | 'scopes'>, right: RightName): boolean {
  return roleHas(role, right) && (scopes === null || (scopes.includes(right) && !RIGHTS[right].fresh));
}

/** Whether a token may be given a right: its owner has it, and it needs no fresh sign-in. */
export function tokenMayHave(role: StaffRole, right: RightName): boolean {
  return roleHas(role, right) && !RIGHTS[right].fresh;
}

/**
 * @param staff undefined where nobody is signed in
 * @throws DomainError `sign_in_required`, `forbidden` or `fresh_sign_in_required`
 */
export function requireRight<Caller extends StaffCaller>(
  staff: Caller | undefined,
  right: RightName,
  now: Date,
): Caller {
  if (!staff) throw new DomainError('sign_in_required', 'Sign in to the console first.');
  const { role, fresh } = RIGHTS[right];
  if (!roleHas(staff.role, right)) {
    throw new DomainError('forbidden', `This needs the role ${role}. Yours is ${staff.role}.`);
  }
  if (!hasRight(staff, right)) {
    const why = fresh ? 'tokens can’t have it, so sign in to the console' : 'this token does not have it';
    throw new DomainError('forbidden', `This needs the right ${right}; ${why}.`);
  }
  if (fresh && !isFresh(staff, now)) {
    throw new DomainError('fresh_sign_in_required', 'Sign in again to do this.');
  }
  return staff;
}

function isFresh({ authenticatedAt }: Pick<StaffCaller, 'authenticatedAt'>, now: Date): boolean {
  return authenticatedAt !== null && now.getTime() - authenticatedAt.getTime() < FRESH_SIGN_IN * 1000;
}
