import { useEffect, useState } from 'preact/hooks';

/**
 * Turns true at an instant and renders once for it, also where it has passed already.
 * @param at milliseconds on the clock of `now`; undefined for never
 */
export function useMoment(at: number | undefined, now: () => number): boolean {
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (at === undefined) return;
    const timer = setTimeout(() => setPassed(at), at - now());
    return () => clearTimeout(timer);
  }, [at, now]);
  return at !== undefined && passed === at;
}
