/** A terminal and systemd signal every process of a group, and npm passes its own signal on: the two count as one. */
const ONE_SIGNAL_MS = 1_000;

/** Calls `stop` at the first SIGINT or SIGTERM, and `stopAtOnce` at any that comes a second later or more. */
export function onStopSignals(stop: (signal: string) => unknown, stopAtOnce: (signal: string) => void): void {
  let firstAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        void stop(signal);
      } else if (performance.now() - firstAt >= ONE_SIGNAL_MS) stopAtOnce(signal);
    });
  }
}
