import { useEffect, useState } from 'preact/hooks';

/**
 * Whether an instant has passed; renders again when it does.
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
