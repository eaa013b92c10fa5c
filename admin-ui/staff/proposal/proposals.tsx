import { useLocation } from 'wouter';
import { notify } from '../../kit/parts/notify.tsx';
import { StateMark, statesOf } from '../../kit/parts/values.tsx';

/** After a proposal is made: says who is next, and opens its page. */
export function useProposed(): (proposal: { id: string }) => void {
  const [, navigate] = useLocation();
  return ({ id }) => {
    notify('Proposed. A reviewer or an admin has to approve it.');
    navigate(`/proposals/${id}`);
  };
}

export const { Mark: ProposalStateMark, options: PROPOSAL_STATE_OPTIONS } = statesOf({
  PROPOSED: ['Waiting', 'waiting'],
  APPROVED: ['Approved, under way', 'waiting'],
  DONE: ['Done', 'good'],
  FAILED: ['Failed', 'bad'],
  DECLINED: ['Declined', 'quiet'],
  WITHDRAWN: ['Withdrawn', 'quiet'],
  EXPIRED: ['Expired', 'quiet'],
});

const MOVES = statesOf({
  OPEN: ['Under way', 'waiting'],
  DONE: ['Done', 'good'],
  FAILED: ['Failed', 'bad'],
});

/** @param move.reason why it waits or failed; null where nothing is wrong */
export function MoveStateMark({ move }: { move: Parameters<typeof MOVES.Mark>[0] & { reason: string | null } }) {
  if (move.state === 'OPEN' && move.reason !== null) return <StateMark tone="bad">Set aside</StateMark>;
  return <MOVES.Mark state={move.state} />;
}
