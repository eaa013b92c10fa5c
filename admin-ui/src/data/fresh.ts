import { setStanding } from './standing.ts';
import { useViewer } from './viewer.ts';

/** Begins a step that needs a fresh sign-in: at once if there is one, else opens the dialog that asks for it. */
export function useFreshly(): (begin: () => void) => void {
  const { isFresh } = useViewer();
  return (begin) => {
    if (isFresh) begin();
    else setStanding('fresh-wanted');
  };
}
