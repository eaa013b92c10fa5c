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
  if (code === 'fresh_sign_in_required') setStanding('fresh-wanted');
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
