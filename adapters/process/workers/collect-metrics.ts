import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry, type MetricObjectWithValues, register } from 'prom-client';

/** A worker that is busy for longer is left out: the others' figures must not be lost with its own. */
const ANSWER_WITHIN_MS = 2_000;
const ASK = 'metrics';

type Metrics = MetricObjectWithValues<{ value: number; labels: object }>[];

/** In a worker: hands its metrics to the primary. */
export function answerMetrics(): void {
  process.on('message', async (message) => {
    if (message === ASK) process.send?.({ metrics: await register.getMetricsAsJSON() });
  });
}

/**
 * In the primary: the metrics of all workers and its own, as Prometheus reads them.
 *
 * Each worker's series have a label with its place. Sums over workers would fall when one ends, and `rate()` would take that for a
 * restart of all of them.
 * @param placeOf the label of a worker: the same for the one that replaces it
 */
export async function collectMetrics(placeOf: (worker: Worker) => string): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const asked = workers.map(async (worker) => labelled(await ask(worker), { worker: placeOf(worker) }));
  const answers = await Promise.allSettled(asked);
  const own = (await register.getMetricsAsJSON()) as Metrics;
  const all = [
    labelled(own, {}),
    ...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
  ];
  return AggregatorRegistry.aggregate(all).metrics();
}

async function ask(worker: Worker): Promise<Metrics> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  worker.send(ASK, () => {});
  for (;;) {
    const [message] = await once(worker, 'message', { signal });
    if (typeof message === 'object' && message !== null && 'metrics' in message) return message.metrics;
  }
}

function labelled(metrics: Metrics, label: { worker?: string }): Metrics {
  return metrics.map((metric) => ({
    ...metric,
    // each series is of one process: there is nothing to add up, or to leave out
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...label } })),
  }));
}
