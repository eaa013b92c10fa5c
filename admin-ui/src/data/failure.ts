/** Why a call brought nothing: a refusal of the service, or no answer at all. */
export class Failure extends Error {
  /** Stable: `forbidden`, `stale_edit`, … as the service says, or `unreachable` where it said nothing. */
  readonly code: string;
  /** Under which the service logged the call; a person can give it to whoever runs it. */
  readonly requestId: string | undefined;

  constructor(code: string, message: string, requestId?: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.requestId = requestId;
  }
}

/** Whatever was thrown, as something that can be shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('internal', error instanceof Error ? error.message : 'Something went wrong in this page.');
}
