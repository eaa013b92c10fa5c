import type { Client, ClientReview } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { actorOf, hasRight, type RightName, type SignedInStaff } from '../staff/rights.ts';

/**
 * The life cycle of a production client, as one table:
 *
 *     draft --submit--> in_review --approve--> approved --enable--> enabled --suspend--> suspended --enable--> enabled
 *                       in_review --withdraw--> draft
 *                       in_review --reject--> rejected --submit--> in_review
 *
 * GraphQL declares its mutations and `Client.steps` from it. One transition is not a step: an edit of a frozen field sends
 * the client back to review (`edit-client.ts`).
 *
 * @module
 */

interface StepRules {
  from: readonly Client['status'][];
  to: Client['status'];
  right: RightName;
  /** Whether the actor must not have submitted the client or edited it in review. */
  needsSecondPerson?: true;
  /** Whether the caller must name the client's version. */
  needsVersion?: true;
}

/**
 * The effect on the client's review, and the audit action. A new review is `opened`; the open one is closed as `withdrawn`,
 * `rejected` or `approved`. `relied_on`: the last approval must be of the present registration.
 */
type StepEffect =
  | { review: 'opened'; action: 'client.submitted' }
  | { review: 'withdrawn'; action: 'client.withdrawn' }
  | { review: 'rejected'; action: 'client.rejected' }
  | { review: 'approved'; action: 'client.approved' }
  | { review: 'relied_on'; action: 'client.enabled' }
  | { review: null; action: 'client.suspended' };

export type ClientStep = StepRules & StepEffect;

export const CLIENT_STEPS = ['submit', 'withdraw', 'reject', 'approve', 'enable', 'suspend'] as const;
export type ClientStepName = (typeof CLIENT_STEPS)[number];

export const LIFE_CYCLE: Record<ClientStepName, ClientStep> = {
  submit: {
    from: ['draft', 'rejected'],
    to: 'in_review',
    right: 'clients:write',
    review: 'opened',
    action: 'client.submitted',
  },
  withdraw: {
    from: ['in_review'],
    to: 'draft',
    right: 'clients:write',
    review: 'withdrawn',
    action: 'client.withdrawn',
  },
  reject: {
    from: ['in_review'],
    to: 'rejected',
    right: 'clients:review',
    needsVersion: true,
    review: 'rejected',
    action: 'client.rejected',
  },
  approve: {
    from: ['in_review'],
    to: 'approved',
    right: 'clients:review',
    needsSecondPerson: true,
    needsVersion: true,
    review: 'approved',
    action: 'client.approved',
  },
  enable: {
    from: ['approved', 'suspended'],
    to: 'enabled',
    right: 'clients:enable',
    review: 'relied_on',
    action: 'client.enabled',
  },
  suspend: {
    from: ['enabled'],
    to: 'suspended',
    right: 'clients:suspend',
    review: null,
    action: 'client.suspended',
  },
};

/** Statuses that only an approved registration may have. */
export const APPROVED_STATUSES: ReadonlySet<Client['status']> = new Set(['approved', 'enabled', 'suspended']);

export const STEP_OBSTACLES = ['lacks_right', 'needs_second_person'] as const;

export interface AvailableStep {
  name: ClientStepName;
  /** Why the person may not take it; null where they may. */
  obstacle: (typeof STEP_OBSTACLES)[number] | null;
}

/** The steps from a client's present status, in the order of the table. A sandbox client has none. @param review the open one */
export function stepsOf(
  { mode, status }: Pick<Client, 'mode' | 'status'>,
  review: ClientReview | undefined,
  staff: SignedInStaff,
): AvailableStep[] {
  if (mode === 'sandbox') return [];
  return CLIENT_STEPS.filter((name) => LIFE_CYCLE[name].from.includes(status)).map((name) => {
    const { right, needsSecondPerson } = LIFE_CYCLE[name];
    if (!hasRight(staff, right)) return { name, obstacle: 'lacks_right' };
    const tookPart = needsSecondPerson && review && !mayApprove(review, actorOf(staff));
    return { name, obstacle: tookPart ? 'needs_second_person' : null };
  });
}

/** Whether the actor is a second person: has neither submitted the client nor edited it in review. */
export function mayApprove({ submittedBy, editors }: ClientReview, actor: string): boolean {
  return submittedBy !== actor && !editors.includes(actor);
}

/** The refusal of a change to an earlier version. @param client as it is now */
export function staleEdit({ version }: Pick<Client, 'version'>): DomainError {
  return new DomainError(
    'stale_edit',
    `Somebody else changed the client meanwhile: it is at version ${version} now. Review it and decide again.`,
  );
}
