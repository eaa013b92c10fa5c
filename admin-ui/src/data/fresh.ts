import { setStanding } from './standing.ts';
import { useViewer } from './viewer.ts';

/** Begins a step that wants a fresh sign-in: at once where there is one, else with the dialog that asks for it. */
export function useFreshly(): (begin: () => void) => void {
  const { isFresh } = useViewer();
  return (begin) => {
    if (isFresh) begin();
    else setStanding('fresh-wanted');
  };
}
