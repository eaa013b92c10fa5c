import type { TestApp } from './start-app.ts';

/** Stops the clock of the service until it is disposed of, so that it makes no difference how long a test takes on a busy machine. */
export function freezeClock(app: TestApp): Disposable & { pass(seconds: number): void } {
  const { now } = app.runtime;
  let at = now().getTime();
  app.runtime.now = () => new Date(at);
  return {
    pass: (seconds) => {
      at += seconds * 1000;
    },
    [Symbol.dispose]: () => {
      app.runtime.now = now;
    },
  };
}
