import { useEffect } from 'react';

const LOOK_EVERY_MS = 3_000;

interface Looking {
  /** Whether something is being waited for. */
  active: boolean;
  /** When it is given up. */
  forMs: number;
  look: () => unknown;
  onGivenUp?: () => void;
}

/**
 * Looks every few seconds whether a sign-in in another tab is done, for a while; whenever this tab is in front again the
 * shell looks by itself (`use-same-person.ts`). `look` and `onGivenUp` keep their identity between renders.
 */
export function useLookAgain({ active, forMs, look, onGivenUp }: Looking): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(look, LOOK_EVERY_MS);
    const end = setTimeout(() => {
      clearInterval(timer);
      onGivenUp?.();
    }, forMs);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [active, forMs, look, onGivenUp]);
}
