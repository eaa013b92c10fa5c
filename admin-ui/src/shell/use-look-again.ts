import { useEffect } from 'react';

const LOOK_EVERY_MS = 3_000;

interface Looking {
  /** Whether something is being waited for. */
  active: boolean;
  /** How long the clock is followed. */
  forMs: number;
  look: () => unknown;
  onGivenUp?: () => void;
}

/**
 * Looks again and again whether a sign-in in another tab is done: every few seconds, and whenever this tab is in front
 * again. The looking by the clock ends after a while; `look` and `onGivenUp` keep their identity between renders.
 */
export function useLookAgain({ active, forMs, look, onGivenUp }: Looking): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(look, LOOK_EVERY_MS);
    const end = setTimeout(() => {
      clearInterval(timer);
      onGivenUp?.();
    }, forMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
      window.removeEventListener('focus', look);
    };
  }, [active, forMs, look, onGivenUp]);
}
