import type { WithKeys } from '../../keys/key-ring.ts';
import type { Context } from '../../platform/context.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import type { Fetch } from '../../platform/public-fetch.ts';
import type { LeasedEndpoint } from './lease-endpoints.ts';
import type { WaitingNotification } from './notification-body.ts';
import { askedFor } from './retry-times.ts';
import { SET_CONTENT_TYPE, signSet } from './sign-set.ts';
import { signWebhook } from './sign-webhook.ts';

/** How an attempt ended. */
export interface Attempt {
  at: Date;
  durationMs: number;
  delivered: boolean;
  /** Null where no answer came. */
  status: number | null;
  /** Why it failed; null where it did not. */
  failure: string | null;
  /** The beginning of the answer's body, as text; null where it had none. */
  answer: string | null;
  /** Seconds that the receiver asked to wait. */
  wait: number | undefined;
  /** The receiver wants nothing more: it answered 410. */
  gone: boolean;
}

/** Milliseconds for a whole attempt, from the lookup of the name to the end of the answer. */
export const ATTEMPT_LIMIT_MS = 10_000;
/** Characters of an answer that are kept. */
const ANSWER_LENGTH = 1_024;
const MOST_REASON = 300;

export type SendContext = Pick<Context, 'config' | 'now'> & WithKeys;

/**
 * Makes one attempt. Never throws for what the receiver does; redirects are not followed.
 * @param secrets of a Standard Webhooks endpoint
 * @throws Error as `signSet`
 * @see RFC 8935 §2.1, §2.2
 */
export async function sendNotification(
  context: SendContext,
  { fetch, endpoint, secrets }: { fetch: Fetch; endpoint: LeasedEndpoint; secrets: readonly string[] },
  notification: WaitingNotification,
): Promise<Attempt> {
  const at = context.now();
  const request = await requestOf(context, endpoint, secrets, notification, at);
  const began = performance.now();
  const end = (ended: Partial<Attempt>): Attempt => ({
    at,
    durationMs: Math.round(performance.now() - began),
    delivered: false,
    status: null,
    failure: null,
    answer: null,
    wait: undefined,
    gone: false,
    ...ended,
  });
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      ...request,
      signal: AbortSignal.timeout(ATTEMPT_LIMIT_MS),
    });
    const { status, headers } = response;
    const answer = await beginningOf(response);
    if (status >= 200 && status < 300) return end({ delivered: true, status, answer });
    const isRedirect = status >= 300 && status < 400;
    const failure = isRedirect ? `answered ${status}: redirects are not followed` : `answered ${status}`;
    return end({ status, answer, failure, wait: askedFor(headers.get('retry-after'), at), gone: status === 410 });
  } catch (error) {
    return end({ failure: reasonOf(error) });
  }
}

async function requestOf(
  context: SendContext,
  { format, client_id: client }: LeasedEndpoint,
  secrets: readonly string[],
  notification: WaitingNotification,
  at: Date,
): Promise<{ headers: Record<string, string>; body: string }> {
  const common = { 'user-agent': 'fan-api-notifications' };
  if (format === 'set_push') {
    const headers = { ...common, 'content-type': SET_CONTENT_TYPE, accept: 'application/json' };
    return { headers, body: await signSet(context, idOf('client', client), notification) };
  }
  const { headers, body } = signWebhook(notification, secrets, at);
  return { headers: { ...common, 'content-type': 'application/json', ...headers }, body };
}

/** Reads only the part that is kept. Where an answer breaks off, its status still counts. */
async function beginningOf(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return null;
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < ANSWER_LENGTH) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // the part that arrived is kept
  }
  await reader.cancel().catch(() => undefined);
  return text === '' ? null : storableText(text, ANSWER_LENGTH);
}

/** The reason in words for the partner. It reveals nothing of our own network but that an address is not public. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  if (name === 'TimeoutError') return `no answer within ${ATTEMPT_LIMIT_MS / 1_000} s`;
  const { code, message: why = message } = cause ?? {};
  return storableText(code ? `no answer: ${code}` : why, MOST_REASON);
}
