import { useLocation } from 'wouter';
import { notify } from '../../kit/parts/notify.tsx';
import { StateMark, type Tone } from '../../kit/parts/values.tsx';

/** What follows a proposal that was made: who is next is told, and its page opens. */
export function useProposed(): (proposal: { id: string }) => void {
  const [, navigate] = useLocation();
  return ({ id }) => {
    notify('Proposed. A reviewer or an admin has to approve it.');
    navigate(`/proposals/${id}`);
  };
}

const STATES = {
  PROPOSED: { label: 'Waiting', tone: 'waiting' },
  APPROVED: { label: 'Approved, under way', tone: 'waiting' },
  DONE: { label: 'Done', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  DECLINED: { label: 'Declined', tone: 'quiet' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'quiet' },
  EXPIRED: { label: 'Expired', tone: 'quiet' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

export type ProposalState = keyof typeof STATES;

export const PROPOSAL_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

export function ProposalStateMark({ state }: { state: ProposalState }) {
  const { label, tone } = STATES[state];
  return <StateMark tone={tone}>{label}</StateMark>;
}

const MOVES = {
  OPEN: { label: 'Under way', tone: 'waiting' },
  DONE: { label: 'Done', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>;

/** @param move.reason why it waits or failed; null where nothing is wrong */
export function MoveStateMark({
  move: { state, reason },
}: {
  move: { state: keyof typeof MOVES; reason: string | null };
}) {
  if (state === 'OPEN' && reason !== null) return <StateMark tone="bad">Set aside</StateMark>;
  const { label, tone } = MOVES[state];
  return <StateMark tone={tone}>{label}</StateMark>;
}
