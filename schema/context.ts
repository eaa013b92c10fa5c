import { type Person, personBehind } from '../src/partners/person.ts';
import {
  actorOf,
  isService,
  type RightName,
  requireRight,
  type SignedInStaff,
  type StaffCaller,
} from '../src/partners/rights.ts';
import { DomainError } from '../src/platform/errors.ts';
import { recordAudit } from '../src/record/audit/record-audit.ts';
import type { ServiceContext } from '../src/runtime.ts';

/** What the resolvers of one GraphQL call work with. */
export interface StaffCall {
  /** For reading: one entity manager for the whole call. */
  context: ServiceContext;
  /** A new context for one mutation, so that a refused one leaves nothing behind for the next. */
  work(): ServiceContext;
  /** Undefined where nobody is signed in. */
  staff: StaffCaller | undefined;
  /** Whether the person confirms themselves by a press (`src/people/staff/confirm-session.ts`). */
  confirmsHere?: boolean;
}

/** The person who makes a call. Only for fields with a right, which need a sign-in. @throws DomainError `forbidden` for a service account */
export function viewerOf(call: StaffCall): SignedInStaff {
  const caller = signedIn(call);
  if (isService(caller)) throw new DomainError('forbidden', 'This is for people only, not for service accounts.');
  return caller;
}

/** Who makes a call, a person or a service account, as audit entries name them. */
export function callerOf(call: StaffCall): string {
  return actorOf(signedIn(call));
}

const people = new WeakMap<StaffCall, Promise<Person>>();

/** The person behind a call, with all their accounts; read once per call. */
export function personOf(call: StaffCall): Promise<Person> {
  const known = people.get(call) ?? personBehind(call.context, callerOf(call));
  people.set(call, known);
  return known;
}

function signedIn({ staff }: StaffCall): StaffCaller {
  if (!staff) throw new DomainError('sign_in_required', 'Sign in to the console first.');
  return staff;
}

/**
 * Refuses a call without the right. An attempt of a signed-in person, or of their token, is audited.
 * @throws DomainError `sign_in_required`, `forbidden`, `fresh_sign_in_required`
 */
export async function authorizeCall(call: StaffCall, right: RightName, operation: string): Promise<void> {
  const { staff } = call;
  const context = call.work();
  try {
    requireRight(staff, right, context.now());
  } catch (error) {
    if (staff && error instanceof DomainError && error.code === 'forbidden') {
      const actor = actorOf(staff);
      recordAudit(context, { actor, action: 'staff.refused', subject: staff.id, details: { operation, right } });
      await context.em.flush();
    }
    throw error;
  }
}
