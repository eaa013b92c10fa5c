/** What may be wrong with the form of a request, as a status. @see RFC 9110 §15.5, §15.6.2, RFC 6585 §5 */
type FormFault = 400 | 405 | 408 | 413 | 414 | 415 | 431 | 501;

/** A request that is refused for its form. Each surface answers it in its own shape. */
export class RequestError extends Error {
  readonly status: FormFault;
  /** The methods that are allowed instead, with 405. */
  readonly allow: readonly string[] | undefined;

  constructor(status: FormFault, message: string, allow?: readonly string[]) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.allow = allow;
  }
}
