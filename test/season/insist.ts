import { setTimeout as sleep } from 'node:timers/promises';
import { FanApiError, NoAnswerError, OAuthError } from '@fan-api/sdk';

const PATIENCE_MS = 90_000;
const PAUSE_MS = 300;

/** Whether the service was away or busy, so that the same call may be answered later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  const refused = error instanceof FanApiError || error instanceof OAuthError;
  return refused && (error.status >= 500 || error.status === 429);
}

/** Makes a call until it has a final answer. @param isPassing by default `mayPass` @throws the final error */
export async function insist<T>(call: () => Promise<T>, isPassing: (error: unknown) => boolean = mayPass): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || Date.now() > end) throw error;
    }
  }
}
