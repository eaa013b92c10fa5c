import { usePerson } from './person.ts';
import { askFreshSignIn } from './standing.ts';

/** Begins a step that needs a fresh sign-in: straight away if there is one, else after the person has confirmed. */
export function useFreshly(): (begin: () => void) => void {
  const { isFresh } = usePerson();
  return (begin) => {
    if (isFresh) begin();
    else void askFreshSignIn().then((isNow) => isNow && begin());
  };
}
