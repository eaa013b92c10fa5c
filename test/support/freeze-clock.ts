import type { TestApp } from './start-app.ts';

/** Stops the clock of the service, so that it makes no difference how long a test takes on a busy machine. */
export function freezeClock(app: TestApp): { pass(seconds: number): void; release(): void } {
  const { now } = app.runtime;
  let at = now().getTime();
  app.runtime.now = () => new Date(at);
  return {
    pass: (seconds) => {
      at += seconds * 1000;
    },
    release: () => {
      app.runtime.now = now;
    },
  };
}
