/** Why a thing that is tried again has failed, for people: of an error with a cause, the cause too. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error was thrown';
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
