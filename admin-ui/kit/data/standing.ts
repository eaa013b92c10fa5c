import { useSyncExternalStore } from 'react';

/** The sign-in state as of the last answer: signed out, or a step that needs a fresh sign-in. */
export type Standing = 'signed-in' | 'signed-out' | 'fresh-wanted';

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

/** Answers whoever waits for a fresh sign-in, so that an interrupted step goes on. */
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
