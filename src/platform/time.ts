/** Seconds. */
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

/** `seconds` after `moment`. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
