import { type Person, personBehind } from '../src/partners/person.ts';
import {
  actorOf,
  isService,
  type RightName,
  requireRight,
  type SignedInStaff,
  type StaffCaller,
} from '../src/partners/rights.ts';
import type { SignedInMember } from '../src/people/account/find-session.ts';
import { DomainError } from '../src/platform/errors.ts';
import { recordAudit } from '../src/record/audit/record-audit.ts';
import type { ServiceContext } from '../src/runtime.ts';

/** Who makes a call: a member of staff, a service account, or a member of a partner. */
export type Viewer = StaffCaller | SignedInMember;

/** What the resolvers of one GraphQL call work with. */
export interface Call {
  /** For reading: one entity manager for the whole call. */
  context: ServiceContext;
  /** A new context for one mutation, so that a refused mutation leaves nothing behind for the next. */
  work(): ServiceContext;
  /** Undefined where nobody is signed in. */
  viewer: Viewer | undefined;
  /** Whether one press of a button replaces a fresh sign-in (`src/people/staff/confirm-session.ts`). */
  confirmsHere?: boolean;
}

export function isMember(viewer: Viewer | undefined): viewer is SignedInMember {
  return viewer !== undefined && 'partner' in viewer;
}

/** The member of staff who makes a call, for fields with a right. @throws DomainError `forbidden` for a service account */
export function viewerOf(call: Call): SignedInStaff {
  const caller = staffOf(call);
  if (isService(caller)) throw new DomainError('forbidden', 'This is for people only, not for service accounts.');
  return caller;
}

/** The member of a partner who makes a call. @throws DomainError for anybody else */
export function memberOf({ viewer }: Call): SignedInMember {
  if (!isMember(viewer)) throw new DomainError('sign_in_required', 'Sign in to the partner workspace first.');
  return viewer;
}

/** Who makes a call, as audit entries name them. */
export function callerOf(call: Call): string {
  return isMember(call.viewer) ? `member:${call.viewer.id}` : actorOf(staffOf(call));
}

const people = new WeakMap<Call, Promise<Person>>();

/** The person behind a call, with all their accounts; read once per call. */
export function personOf(call: Call): Promise<Person> {
  const known = people.get(call) ?? personBehind(call.context, callerOf(call));
  people.set(call, known);
  return known;
}

/** Staff, or a service account. @throws DomainError for anybody else */
export function staffOf({ viewer }: Call): StaffCaller {
  if (!viewer || isMember(viewer)) throw new DomainError('sign_in_required', 'Sign in to the console first.');
  return viewer;
}

/**
 * Refuses a call without the right. An attempt of a signed-in person, or of their token, is audited.
 * @throws DomainError `sign_in_required`, `forbidden`, `fresh_sign_in_required`
 */
export async function authorizeCall(call: Call, right: RightName, operation: string): Promise<void> {
  const staff = staffOf(call);
  const context = call.work();
  try {
    requireRight(staff, right, context.now());
  } catch (error) {
    if (error instanceof DomainError && error.code === 'forbidden') {
      const actor = actorOf(staff);
      recordAudit(context, { actor, action: 'staff.refused', subject: staff.id, details: { operation, right } });
      await context.em.flush();
    }
    throw error;
  }
}
