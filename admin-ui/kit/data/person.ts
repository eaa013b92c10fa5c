import { createContext, useContext, useSyncExternalStore } from 'react';

/** The person who is signed in, as the parts see them. Each application provides its own. */
interface Person {
  id: string;
  /** Why this person can’t do what needs the right; undefined where they can. */
  disabledReason(right: string): string | undefined;
  /** Whether they signed in so recently that critical steps need no more. */
  isFresh: boolean;
}

const PersonContext = createContext<Person | undefined>(undefined);

export const PersonProvider = PersonContext.Provider;

/** The person who is signed in. */
export function usePerson(): Person {
  const person = useContext(PersonContext);
  if (!person) throw new Error('usePerson needs a signed-in person');
  return person;
}

/** Why the person who is signed in can’t do something; undefined where they can. */
export function useDisabledReason(right: string): string | undefined {
  return usePerson().disabledReason(right);
}

/** The sign-in state as of the last answer: signed out, or a step that needs a fresh sign-in. */
type Standing = 'signed-in' | 'signed-out' | 'fresh-wanted';

let standing: Standing = 'signed-in';
const listeners = new Set<() => void>();

export function setStanding(next: Standing): void {
  standing = next;
  for (const listener of listeners) listener();
}

/** Updates the sign-in state from the code of a failed call. */
export function noteStanding(code: string): void {
  if (code === 'sign_in_required') setStanding('signed-out');
}

let waiting: ((isFresh: boolean) => void)[] = [];

/** Asks the person for a fresh sign-in. @returns whether there is one now; false where they declined */
export function askFreshSignIn(): Promise<boolean> {
  setStanding('fresh-wanted');
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

/** Ends the wait for a fresh sign-in, so that an interrupted step goes on. */
export function settleFreshSignIn(isFresh: boolean): void {
  const answered = waiting;
  waiting = [];
  if (standing === 'fresh-wanted') setStanding('signed-in');
  for (const answer of answered) answer(isFresh);
}

export function useStanding(): Standing {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => standing,
  );
}

/** Begins a step that needs a fresh sign-in: immediately if there is one, otherwise after the person has confirmed. */
export function useFreshly(): (begin: () => void) => void {
  const { isFresh } = usePerson();
  return (begin) => {
    if (isFresh) begin();
    else void askFreshSignIn().then((isNow) => isNow && begin());
  };
}
