/**
 * Remembers what was read for some seconds, however many ask meanwhile: those who come while it is read wait for the same reading.
 * @param read must not throw
 */
export function remembered<T>(clock: { now(): Date }, seconds: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    const age = clock.now().getTime() - readAt;
    // a clock that was set back would keep it for long
    if (reading === undefined || age < 0 || age >= seconds * 1_000) {
      readAt = clock.now().getTime();
      reading = read();
    }
    return reading;
  };
}
