import { Client } from '../../entities/client.ts';
import { Partner } from '../../entities/partner.ts';
import { type ClientEdit, editClient } from '../../partners/client/edit-client.ts';
import { APPROVED_STATUSES } from '../../partners/client/life-cycle.ts';
import type { ClientRegistration } from '../../partners/client/lint-registration.ts';
import { registerClient } from '../../partners/client/register-client.ts';
import type { WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';

/** The fields of an approved client that change without a review; then only staff change them, since fans see the name. */
const UNREVIEWED = ['name', 'refreshRetryWindow'] as const;

/**
 * Edits a client as one of its partner's members. As `editClient`, but nothing of an approved client changes without a review.
 * The caller checks that the client is the partner's.
 * @throws DomainError as `editClient`; `invalid_request` for a field that only staff can change
 */
export async function editOwnClient(context: WriteContext, edit: ClientEdit, actor: string): Promise<Client> {
  const client = await rowUnder(context.em, Client, 'client', edit.clientId, { refresh: true });
  const field = UNREVIEWED.find((name) => edit.changes[name] !== undefined && edit.changes[name] !== client[name]);
  // a status that changes after this look raises the version, and the edit is refused
  if (field !== undefined && APPROVED_STATUSES.has(client.status) && client.version === edit.version) {
    throw new DomainError('invalid_request', `${field}: once a client is approved, ask staff to change it.`);
  }
  return editClient(context, edit, actor);
}

/** Clients of a partner up to which its members register more themselves. */
export const MOST_OWN_CLIENTS = 50;

/**
 * Registers a client as a member of its partner: in sandbox ready immediately, in production as a draft.
 * @throws DomainError `invalid_request` naming the field and its fault, `conflict` with too many clients
 */
export async function registerOwnClient(
  context: WriteContext,
  partnerId: Id<'ptn'>,
  registration: ClientRegistration,
  actor: string,
): Promise<Client> {
  return context.em.transactional(async (em) => {
    // of two at the same time, the second counts the client of the first
    const partner = await rowUnder(em, Partner, 'ptn', partnerId, LOCKED);
    if ((await em.count(Client, { partner: partnerId })) >= MOST_OWN_CLIENTS) {
      throw new DomainError(
        'conflict',
        `A partner can register up to ${MOST_OWN_CLIENTS} clients. Ask staff for more.`,
      );
    }
    return registerClient({ ...context, em }, partner, registration, actor);
  });
}

/** A step on the way to production. */
export interface GoLiveStep {
  name: 'registered' | 'submitted' | 'approved' | 'enabled';
  says: string;
  done: boolean;
  isNext: boolean;
  /** Whether a member of the partner does it, and not staff. */
  isYours: boolean;
}

type Status = Client['status'];

const STEPS: readonly (Pick<GoLiveStep, 'name' | 'says' | 'isYours'> & { isDone(status: Status): boolean })[] = [
  {
    name: 'registered',
    says: 'Register a production client with its redirect URIs and scopes.',
    isYours: true,
    isDone: () => true,
  },
  {
    name: 'submitted',
    says: 'Submit it for review, with a note to the reviewers.',
    isYours: true,
    isDone: (status) => status === 'in_review' || APPROVED_STATUSES.has(status),
  },
  {
    name: 'approved',
    says: 'Staff review the registration, and approve or reject it with a reason.',
    isYours: false,
    isDone: (status) => APPROVED_STATUSES.has(status),
  },
  {
    name: 'enabled',
    says: 'Staff enable the client. From then on fans can sign in with it.',
    isYours: false,
    isDone: (status) => status === 'enabled',
  },
];

/** The steps of a production client; none for a sandbox client, which is ready immediately. */
export function stepsToGoLive({ mode, status }: Pick<Client, 'mode' | 'status'>): GoLiveStep[] {
  if (mode === 'sandbox') return [];
  const next = STEPS.find(({ isDone }) => !isDone(status));
  return STEPS.map((step) => {
    const { name, says, isYours, isDone } = step;
    return { name, says, isYours, done: isDone(status), isNext: step === next };
  });
}
