import type { Client } from '../../entities/client.ts';
import { APPROVED_STATUSES } from '../../partners/client/life-cycle.ts';

/** A step on the way to production. */
export interface GoLiveStep {
  name: 'registered' | 'submitted' | 'approved' | 'enabled';
  says: string;
  done: boolean;
  isNext: boolean;
  /** Whether a member of the partner takes it, and not staff. */
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

/** The steps of a production client; none for a sandbox client, which is ready at once. */
export function stepsToGoLive({ mode, status }: Pick<Client, 'mode' | 'status'>): GoLiveStep[] {
  if (mode === 'sandbox') return [];
  const next = STEPS.find(({ isDone }) => !isDone(status));
  return STEPS.map((step) => {
    const { name, says, isYours, isDone } = step;
    return { name, says, isYours, done: isDone(status), isNext: step === next };
  });
}
