/** Seconds. */
export const DAY = 24 * 3600;

/** `seconds` after `moment`. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
