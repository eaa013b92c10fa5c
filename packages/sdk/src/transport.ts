import { factsOf, NoAnswerError } from './errors.ts';

/** How requests are sent. Each has its default. */
export interface TransportOptions {
  /**
   * Sends every request, in place of the global `fetch`: to log, to trace, to go through a proxy. It is given a `Request`, whose
   * signal ends it.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Milliseconds for a request with its whole answer; 40,000 by default, because a claim may take 25 seconds. */
  timeoutMs?: number | undefined;
  /** How often a request is sent at most, where it may be repeated; 3 by default. */
  maxAttempts?: number | undefined;
  /** A longer `Retry-After` (seconds) is not waited for, but reported; 15 by default. */
  maxRetryAfterSeconds?: number | undefined;
}

const TIMEOUT_MS = 40_000;
const MAX_ATTEMPTS = 3;
const MAX_RETRY_AFTER_SECONDS = 15;
const BACKOFF_MS = 250;

/** Codes of Node's fetch where no connection was made. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Sends a request once, and reads the whole answer: one that breaks off in the middle is none.
 * @throws NoAnswerError @throws what the request was aborted with
 */
async function sendOnce(request: Request, options: TransportOptions): Promise<Response> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const { method, url, signal } = request;
  if (globalThis.navigator?.onLine === false) throw new NoAnswerError(request, 'offline', { sent: false });
  try {
    const send = options.fetch ?? fetch;
    const response = await send(new Request(request, { signal: AbortSignal.any([signal, limit]) }));
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new NoAnswerError({ method, url }, error, { timedOut: limit.aborted, sent: !isNeverSent(error) });
  }
}

/**
 * What may be repeated: an answer that says when to come back, always; a GET, also after another 5xx; a lost answer, where the same
 * request twice does no harm.
 */
export interface Repeats {
  lost: boolean;
}

/** Sends a request until waiting would not improve its answer, within the bounds. @throws as `sendOnce` */
export async function sendRepeating(request: Request, options: TransportOptions, repeats: Repeats): Promise<Response> {
  const most = options.maxAttempts ?? MAX_ATTEMPTS;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= most;
    try {
      const response = await sendOnce(isLast ? request : request.clone(), options);
      const seconds = secondsToWait(request, response, attempt);
      if (isLast || seconds > (options.maxRetryAfterSeconds ?? MAX_RETRY_AFTER_SECONDS)) return response;
      await pause(seconds * 1_000, request.signal);
    } catch (error) {
      if (!(error instanceof NoAnswerError) || isLast || !(repeats.lost || !error.sent)) throw error;
      await pause(backoff(attempt), request.signal);
    }
  }
}

/** Milliseconds that grow with each attempt. */
function backoff(attempt: number): number {
  return BACKOFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

/** Infinite where the same request would get the same answer, or must not be sent again. */
function secondsToWait({ method }: Request, response: Response, attempt: number): number {
  const { status, retryAfter } = factsOf(response);
  if (method === 'GET' && status >= 500) return retryAfter ?? backoff(attempt) / 1_000;
  if (status === 429 || status === 503) return retryAfter ?? Number.POSITIVE_INFINITY;
  return Number.POSITIVE_INFINITY;
}

function isNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' && NEVER_SENT.has(cause.code);
}

/** @throws what the signal was aborted with */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
