/**
 * What can go wrong, by what the caller does about it: a refusal of the Fan API, one of the authorization server, a check that
 * failed, no answer, and a sign-in that has ended.
 *
 * @module
 */

/** What every answer of the service says about itself. */
export interface AnswerFacts {
  status: number;
  /** `X-Request-Id`: name it when you ask for help. */
  requestId: string | undefined;
  /** Entry of the documentation on this error: the `Link` with `rel="help"`. */
  help: string | undefined;
  /** `Retry-After` in seconds; undefined where waiting does not help. */
  retryAfter: number | undefined;
}

/** The Fan API refused a call. The message is for people and may change; `code` is stable. */
export class FanApiError extends Error implements AnswerFacts {
  override readonly name = 'FanApiError';
  readonly status: number;
  readonly requestId: string | undefined;
  readonly help: string | undefined;
  readonly retryAfter: number | undefined;
  /** `X-Error-Code`, such as `not_found`. Undefined where something before the service answered. */
  readonly code: string | undefined;

  constructor(response: Response, body: unknown) {
    const code = response.headers.get('x-error-code') ?? undefined;
    super(textIn(body, 'message') ?? `The Fan API answered ${response.status}.`);
    const facts = factsOf(response);
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.help = facts.help;
    this.retryAfter = facts.retryAfter;
    this.code = code;
  }
}

/** The authorization server refused a request, or the fan did: then `error` is `access_denied`, and the callback said it. */
export class OAuthError extends Error implements AnswerFacts {
  override readonly name = 'OAuthError';
  /** 0 for a refusal that came by the callback. */
  readonly status: number;
  readonly requestId: string | undefined;
  readonly help: string | undefined;
  readonly retryAfter: number | undefined;
  /** `error`, such as `invalid_grant`. `server_error` where the answer has none. @see RFC 6749 §5.2 */
  readonly error: string;
  /** `error_description`. */
  readonly description: string | undefined;

  constructor(error: string, description: string | undefined, response?: Response) {
    super(description === undefined ? error : `${error}: ${description}`);
    const facts = response && factsOf(response);
    this.error = error;
    this.description = description;
    this.status = facts?.status ?? 0;
    this.requestId = facts?.requestId;
    this.help = facts?.help;
    this.retryAfter = facts?.retryAfter;
  }
}

/** What a callback or an ID token must satisfy. `answer` is a malformed answer. */
export type CheckName = 'state' | 'iss' | 'nonce' | 'at_hash' | 'signature' | 'sub' | 'id_token' | 'answer';

/** A check failed: somebody may be attacking the sign-in, and its tokens are not used. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  readonly check: CheckName;

  constructor(check: CheckName, message: string, cause?: unknown) {
    super(message, { cause });
    this.check = check;
  }
}

/** No answer came, or only a part of one. The service may have done what was asked. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** True where the time limit of the SDK ended it. */
  readonly timedOut: boolean;
  /** False where the request was certainly not sent, so that the service has done nothing. */
  readonly sent: boolean;

  constructor(request: Pick<Request, 'method' | 'url'>, cause: unknown, { timedOut = false, sent = true } = {}) {
    const [url] = request.url.split('?');
    super(`${request.method} ${url} got no answer${timedOut ? ' in time' : ''}.`, { cause });
    this.timedOut = timedOut;
    this.sent = sent;
  }
}

/**
 * Why the fan must sign in again. `refused`: the grant or the refresh token has ended. `outcome_unknown`: the answer to a refresh was
 * lost, and the token must not be sent again.
 */
export type SignInReason = 'signed_out' | 'no_refresh_token' | 'refused' | 'outcome_unknown';

/** Access has ended: send the fan to sign in. */
export class SignInRequiredError extends Error {
  override readonly name = 'SignInRequiredError';
  readonly reason: SignInReason;

  constructor(reason: SignInReason, cause?: unknown) {
    super(`The fan must sign in (again): ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** Reads what an answer says about itself. */
export function factsOf(response: Response): AnswerFacts {
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    help: linkOf(response.headers, 'help'),
    retryAfter: retryAfterOf(response.headers),
  };
}

/** The target of a `Link` by its relation. @see RFC 8288 §3 */
export function linkOf(headers: Headers, relation: string): string | undefined {
  for (const [, target, parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(parameters);
    const names = (relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/);
    if (names.includes(relation)) return target;
  }
  return undefined;
}

/** Seconds to wait, from a number or a date. @see RFC 9110 §10.2.3 */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const date = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

/** A member of a JSON object, where it is text. */
export function textIn(body: unknown, member: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}
