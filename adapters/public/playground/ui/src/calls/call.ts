import { linkOf } from '@fan-api/sdk';

/** A request as it was sent, so that it can be shown, copied and sent again. */
export interface CallRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface CallAnswer {
  status: number;
  /** Names in lower case; across origins only those that CORS exposes. */
  headers: Record<string, string>;
  body: string;
  /** Milliseconds from sending to the last byte. */
  ms: number;
}

/** A request with its answer, or why there is none. */
export interface Call {
  id: number;
  title: string;
  /** ISO 8601. */
  at: string;
  request: CallRequest;
  answer?: CallAnswer;
  /** Where no answer came: the browser's words. */
  failure?: string;
}

/** Sends a request. An answer of any status is an answer; only a missing one is a failure. */
export async function sendCall(request: CallRequest, signal?: AbortSignal): Promise<Pick<Call, 'answer' | 'failure'>> {
  const { method, url, headers, body } = request;
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'omit',
      ...(body !== undefined && { body }),
      signal: signal ?? AbortSignal.timeout(SECONDS_TO_ANSWER * 1_000),
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    return { answer: { status: response.status, headers: Object.fromEntries(response.headers), body: text, ms } };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

const SECONDS_TO_ANSWER = 90;

/** The answer's body where it is a JSON object. */
export function jsonOf(answer: CallAnswer | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(answer?.body ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The stable code of a refusal: the Fan API's header, or the `error` of an OAuth answer. */
export function errorCodeOf(answer: CallAnswer): string | undefined {
  if (answer.status < 400) return undefined;
  const code = answer.headers['x-error-code'];
  if (code !== undefined) return code;
  const error = jsonOf(answer)?.error;
  return typeof error === 'string' ? error : undefined;
}

/** What the answer says to people. */
export function messageOf(answer: CallAnswer): string | undefined {
  const body = jsonOf(answer);
  const text = body?.message ?? body?.error_description;
  return typeof text === 'string' ? text : undefined;
}

/** The target of a `Link` with `rel="help"`. @param base address of the call, for a relative target @see RFC 8288 §3 */
export function helpLinkOf(answer: CallAnswer, base: string): string | undefined {
  const target = linkOf(new Headers(answer.headers), 'help');
  return target !== undefined && URL.canParse(target, base) ? new URL(target, base).href : undefined;
}
