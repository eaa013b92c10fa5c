import { StateMark, statesOf, type Tone } from '../parts/values.tsx';

/** Label and colour of each status. */
const STATUSES = {
  DRAFT: { label: 'Draft', tone: 'quiet' },
  SANDBOX_READY: { label: 'Ready', tone: 'good' },
  IN_REVIEW: { label: 'In review', tone: 'waiting' },
  APPROVED: { label: 'Approved', tone: 'waiting' },
  ENABLED: { label: 'Enabled', tone: 'good' },
  SUSPENDED: { label: 'Suspended', tone: 'bad' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

export type ClientStatus = keyof typeof STATUSES;

export const STATUS_OPTIONS = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }));

interface ClientStatusMarkProps {
  status: ClientStatus;
  /** By a kill switch. */
  stopped?: boolean;
  /** Whether a review is open: beside an approved registration, that of an edit. */
  inReview?: boolean;
}

export function ClientStatusMark({ status, stopped = false, inReview = false }: ClientStatusMarkProps) {
  const { label, tone } = STATUSES[status];
  const more = [inReview && status !== 'IN_REVIEW' && 'edit in review', stopped && 'stopped'].filter(Boolean);
  return <StateMark tone={stopped ? 'bad' : tone}>{[label, ...more].join(', ')}</StateMark>;
}

/** The decision of a review. */
export const { Mark: DecisionMark } = statesOf({
  APPROVED: ['Approved', 'good'],
  REJECTED: ['Rejected', 'bad'],
  WITHDRAWN: ['Withdrawn', 'quiet'],
});
