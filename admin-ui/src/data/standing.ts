import { useSyncExternalStore } from 'react';

/** What the service last said of who is asking: `signed-out`, or that this step wants a fresh sign-in. */
export type Standing = 'signed-in' | 'signed-out' | 'fresh-wanted';

let standing: Standing = 'signed-in';
const listeners = new Set<() => void>();

export function setStanding(next: Standing): void {
  standing = next;
  for (const listener of listeners) listener();
}

/** Takes note of what a failed call says of who is asking. */
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
