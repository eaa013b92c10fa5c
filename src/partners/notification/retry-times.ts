/** Times of retries: about ten attempts in three days, as Standard Webhooks advises. Seconds. */
const PAUSES = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000];
/** Pauses vary by up to this part, so that notifications that failed together are not sent together again. */
const SPREAD = 0.1;

/** Days until a notification that was not delivered is dead, and a failing endpoint is disabled. */
export const GIVE_UP_DAYS = 3;

/** Failures in a row after which an endpoint rests. */
export const RESTS_AFTER = 5;
const FIRST_REST = 5;
const LONGEST_REST = 300;
/** The longest wait that a receiver may ask for, in seconds. */
const LONGEST_WAIT = 3_600;

/** Seconds until the next attempt. @param attempts how many have failed, from 1 @param random 0 to 1 */
export function pauseAfter(attempts: number, random: number): number {
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? 0;
  return pause * (1 + SPREAD * random);
}

/** Seconds for which an endpoint rests after a number of failures in a row. Then one attempt tests it. */
export function restAfter(failures: number): number {
  return failures < RESTS_AFTER ? 0 : Math.min(FIRST_REST * 2 ** (failures - RESTS_AFTER), LONGEST_REST);
}

/** Seconds that a receiver asks for by `Retry-After`, up to an hour; undefined where it asks for none. @see RFC 9110 §10.2.3 */
export function askedFor(retryAfter: string | null, now: Date): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined;
  const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1_000;
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, LONGEST_WAIT) : undefined;
}
