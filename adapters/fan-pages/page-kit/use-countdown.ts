import { useEffect, useState } from 'preact/hooks';

/**
 * Whole seconds until a time, updated every second; 0 once it has passed.
 * @param until ISO 8601, or null for a time in the past
 * @param now the clock to compare with, in milliseconds
 */
export function useCountdown(until: string | null, now: () => number): number {
  const remaining = () => (until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - now()) / 1000)));
  const [, setTick] = useState(0);
  const seconds = remaining();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setTick((tick) => tick + 1), 1000);
    return () => clearTimeout(timer);
  });
  return seconds;
}
