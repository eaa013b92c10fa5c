import { useLocation } from 'wouter';
import { notify } from '../../kit/parts/undo.tsx';

/** What follows a proposal that was made: who is next is told, and its page opens. */
export function useProposed(): (proposal: { id: string }) => void {
  const [, navigate] = useLocation();
  return ({ id }) => {
    notify('Proposed. A reviewer or an admin has to approve it.');
    navigate(`/proposals/${id}`);
  };
}
