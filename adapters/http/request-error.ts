/** @see RFC 9110 §15.5, §15.6.2, RFC 6585 §5 */
type RequestErrorStatus = 400 | 405 | 408 | 413 | 414 | 415 | 431 | 501;

/** A malformed request. Each surface answers it in its own shape. */
export class RequestError extends Error {
  readonly status: RequestErrorStatus;
  /** The methods that are allowed instead, with 405. */
  readonly allow: readonly string[] | undefined;

  constructor(status: RequestErrorStatus, message: string, allow?: readonly string[]) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.allow = allow;
  }
}
