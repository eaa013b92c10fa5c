import { StateMark, type Tone } from '../parts/marks.tsx';

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

export function ClientStatusMark({ status, stopped = false }: { status: ClientStatus; stopped?: boolean }) {
  const { label, tone } = STATUSES[status];
  return stopped ? <StateMark tone="bad">{`${label}, stopped`}</StateMark> : <StateMark tone={tone}>{label}</StateMark>;
}
