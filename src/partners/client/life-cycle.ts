import type { Client, ClientReview } from '../../entities/client.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Person } from '../person.ts';
import { hasRight, type RightName, type SignedInStaff } from '../rights.ts';

/**
 * The life cycle of a production client, as one table:
 *
 *     draft --submit--> in_review --approve--> approved --enable--> enabled --suspend--> suspended --enable--> enabled
 *                       in_review --withdraw--> draft
 *                       in_review --reject--> rejected --submit--> in_review
 *
 * GraphQL declares its mutations and `Client.steps` from it. An edit of what approval freezes does not move the client: it waits in a
 * review of its own beside the registration in force (`edit-client.ts`). The steps that decide a review also decide that one, and leave
 * the status as it is.
 *
 * @module
 */

interface StepRules {
  from: readonly Client['status'][];
  to: Client['status'];
  /** Whether it also decides the review of an edit of an approved client. */
  decidesEdit?: true;
  right: RightName;
  /** Whether the person must not have submitted the client, edited it or belong to its partner (D-340). */
  needsSecondPerson?: true;
  /** Whether the caller must name the client's version. */
  needsVersion?: true;
}

/**
 * The effect on the client's review, and the audit action. A new review is `opened`; the open one is closed as `withdrawn`,
 * `rejected` or `approved`. `relied_on`: the registration in force must be one that was approved.
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
    decidesEdit: true,
    right: 'clients:write',
    review: 'withdrawn',
    action: 'client.withdrawn',
  },
  reject: {
    from: ['in_review'],
    to: 'rejected',
    decidesEdit: true,
    right: 'clients:review',
    needsVersion: true,
    review: 'rejected',
    action: 'client.rejected',
  },
  approve: {
    from: ['in_review'],
    to: 'approved',
    decidesEdit: true,
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
    needsSecondPerson: true,
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

/**
 * The status that a step leads to; undefined where it can't be taken.
 * @param editWaits whether an edit of the approved client waits for review
 */
export function statusAfter(
  { from, to, decidesEdit }: ClientStep,
  status: Client['status'],
  editWaits: boolean,
): Client['status'] | undefined {
  if (from.includes(status)) return to;
  return decidesEdit && editWaits && APPROVED_STATUSES.has(status) ? status : undefined;
}

export const STEP_OBSTACLES = ['lacks_right', 'needs_second_person'] as const;

export interface AvailableStep {
  name: ClientStepName;
  /** The client's status after it. */
  to: Client['status'];
  /** Why the person may not take it; null where they may. */
  obstacle: (typeof STEP_OBSTACLES)[number] | null;
}

/** The reviews on which the steps of a client depend. */
export interface ReviewsOfClient {
  open: ClientReview | undefined;
  /** The approval of the registration as it is now. */
  approval: ClientReview | undefined;
}

/** The steps from a client's present status, in the order of the table. A sandbox client has none. */
export function stepsOf(
  client: Pick<Client, 'mode' | 'status' | 'partner'>,
  { open, approval }: ReviewsOfClient,
  staff: SignedInStaff,
  person: Person,
): AvailableStep[] {
  if (client.mode === 'sandbox') return [];
  return CLIENT_STEPS.flatMap((name): AvailableStep[] => {
    const { right, needsSecondPerson, review: effect } = LIFE_CYCLE[name];
    const to = statusAfter(LIFE_CYCLE[name], client.status, open !== undefined);
    if (to === undefined) return [];
    if (!hasRight(staff, right)) return [{ name, to, obstacle: 'lacks_right' }];
    const review = effect === 'relied_on' ? approval : open;
    const isFirst = needsSecondPerson && review && partIn(review, client, person) !== undefined;
    return [{ name, to, obstacle: isFirst ? 'needs_second_person' : null }];
  });
}

/** The part of a person in a review, continuing "You …"; undefined for a second person, who may approve it and rely on it. */
export function partIn(
  { submittedBy, editors }: ClientReview,
  { partner }: Pick<Client, 'partner'>,
  { accounts, partners, invited }: Person,
): string | undefined {
  if (accounts.has(submittedBy)) return 'submitted this for review';
  if (editors.some((editor) => accounts.has(editor))) return 'edited this';
  if ([submittedBy, ...editors].some((member) => invited.has(member)))
    return 'invited the member who submitted or edited this';
  return partners.has(partner.id) ? 'belong to the partner' : undefined;
}

/**
 * @param act what the person wants to do, after "someone else has to"
 * @throws DomainError `forbidden` where the person is not a second one to a review
 */
export function requireSecondPerson(review: ClientReview, client: Client, person: Person, act: string): void {
  const part = partIn(review, client, person);
  if (part !== undefined) throw new DomainError('forbidden', `You ${part}: someone else has to ${act} it.`);
}

/** The refusal of a change to an earlier version. @param client as it is now */
export function staleEdit({ version }: Pick<Client, 'version'>): DomainError {
  return new DomainError(
    'stale_edit',
    `Someone else has changed this client: it is now at version ${version}. Review it again, then decide.`,
  );
}
