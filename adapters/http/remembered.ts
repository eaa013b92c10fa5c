/**
 * Reads a value at most once in some seconds, however many callers there are. Callers that arrive during a reading wait for it.
 * @param read must not throw
 */
export function remembered<T>(clock: { now(): Date }, seconds: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    const age = clock.now().getTime() - readAt;
    // without the check of the sign, a clock that was set back would keep the value for long
    if (reading === undefined || age < 0 || age >= seconds * 1_000) {
      readAt = clock.now().getTime();
      reading = read();
    }
    return reading;
  };
}
