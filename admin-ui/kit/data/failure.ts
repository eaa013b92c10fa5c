/** Why a call failed: a refusal of the service, or no answer at all. */
export class Failure extends Error {
  /** Stable: `forbidden`, `stale_edit`, … of the service, or `unreachable` without an answer. */
  readonly code: string;
  /** Under which the service logged the call. */
  readonly requestId: string | undefined;

  constructor(code: string, message: string, requestId?: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.requestId = requestId;
  }
}

/** Turns anything thrown into a failure that can be shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('internal', error instanceof Error ? error.message : 'Something went wrong on this page.');
}
