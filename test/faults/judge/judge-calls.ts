import { type Call, isBad, type Ledger, OPERATIONS } from '../drive/ledger.ts';
import type { Fault, Outcome } from '../fault.ts';

/** The moments of a row, on the clock of `performance`. */
export interface Moments {
  injected: number;
  /** When what broke it was taken away. */
  healed: number;
}

type Seen = Pick<
  Outcome,
  'heldSeconds' | 'during' | 'slowest' | 'firstSuccess' | 'whole' | 'notReadyAfter' | 'readyAfter' | 'problems'
>;

const MOST_EXAMPLES = 4;

/** What the client saw, and what of it must not be. @param failing why all was not well in time */
export function judgeCalls(
  fault: Fault,
  ledger: Ledger,
  { injected, healed }: Moments,
  failing: string | undefined,
): Seen {
  const calls = ledger.calls.filter(({ operation }) => operation !== 'readyz' && operation !== 'healthz');
  const probes = ledger.calls.filter(({ operation }) => operation === 'readyz');
  const during = calls.filter(({ at, ms }) => at + ms >= injected && at < healed);
  const after = calls.filter(({ at }) => at >= healed);
  const firsts = OPERATIONS.map((operation) =>
    after.find((call) => call.operation === operation && (call.status ?? 500) < 400),
  );
  const lastBad = after.filter(isBad).reduce((last, call) => Math.max(last, endOf(call)), healed);
  const notReady = probes.find((call) => call.at >= injected && call.at < healed && call.status === 503);
  const readyAgain = probes.find((call) => call.at >= healed && call.status === 200);
  return {
    heldSeconds: seconds(healed - injected),
    during: {
      served: count(during, (status) => status !== undefined && status < 400),
      refused: count(during, (status) => status !== undefined && status >= 400 && status < 500),
      unavailable: count(during, (status) => status === 503),
      internal: count(during, (status) => status !== undefined && status >= 500 && status !== 503),
      unanswered: count(during, (status) => status === undefined),
    },
    slowest: seconds(Math.max(0, ...during.map(({ ms }) => ms))),
    firstSuccess: firsts.includes(undefined)
      ? undefined
      : seconds(Math.max(...firsts.map((call) => (call ? endOf(call) - healed : 0)))),
    whole: failing === undefined ? seconds(lastBad - healed) : undefined,
    notReadyAfter: notReady && seconds(endOf(notReady) - injected),
    readyAfter: readyAgain && seconds(endOf(readyAgain) - healed),
    problems: [
      ...grouped('answered with a server fault', calls, (call) => isBad(call) && !isLost(call) && call.status !== 503),
      ...grouped('503 that does not say when to come back', calls, (call) => call.status === 503 && !call.saysWhen),
      ...grouped('no answer', calls, (call) => isLost(call) && !fault.unanswered),
      ...grouped(
        'a call that the fault does not concern failed',
        calls,
        (call) => isBad(call) && !concerns(fault, call),
      ),
      ...grouped('the process does not say that it is alive', ledger.calls, (call) => isDead(call) && !fault.stops),
      ...(failing === undefined ? [] : [`not whole in time: ${failing}`]),
      ...readinessProblems(fault, probes, notReady, { injected, healed }),
    ],
  };
}

function readinessProblems(fault: Fault, probes: Call[], notReady: Call | undefined, { injected, healed }: Moments) {
  if (fault.ready === 'no' && !notReady) return ['/readyz never said no'];
  if (fault.ready !== 'yes') return [];
  return grouped('/readyz said no', probes, ({ at, status }) => at >= injected && at < healed && status === 503);
}

const isLost = ({ status }: Call) => status === undefined;
const isDead = ({ operation, status }: Call) => operation === 'healthz' && status !== 200;

function concerns({ hits }: Fault, { operation }: Call): boolean {
  if (hits === 'everything') return true;
  return hits !== 'nothing' && (hits as readonly string[]).includes(operation);
}

/**
 * What fails still, or has not succeeded since the end of the fault.
 * @returns undefined where each operation has succeeded and nothing failed for a while
 */
export function whyNotWhole(fault: Fault, ledger: Ledger, healed: number, quietMs: number): string | undefined {
  const ignored = fault.ready === 'never' ? ['healthz', 'readyz'] : ['healthz'];
  const since = ledger.calls.filter(({ at, operation }) => at >= healed && !ignored.includes(operation));
  const quietFrom = performance.now() - quietMs;
  const failed = since.filter((call) => isBad(call) && endOf(call) > quietFrom).slice(-3);
  const succeeded = new Set(since.filter(({ status = 500 }) => status < 400).map(({ operation }) => operation));
  const wanted = [...OPERATIONS, ...(fault.ready === 'never' ? [] : (['readyz'] as const))];
  const why = [
    ...failed.map(({ operation, status, said }) => `${operation} ${status ?? ''} ${said}`),
    ...wanted.filter((operation) => !succeeded.has(operation)).map((operation) => `no success of ${operation}`),
    ...(healed < quietFrom ? [] : ['too soon to say']),
  ];
  return why.length === 0 ? undefined : why.join('; ');
}

/** Calls of one kind as one problem: how often, and what they said. */
function grouped(kind: string, all: readonly Call[], isOfKind: (call: Call) => boolean): string[] {
  const calls = all.filter(isOfKind);
  if (calls.length === 0) return [];
  const texts = new Map<string, number>();
  for (const { operation, status, said } of calls) {
    const text = `${operation} ${status ?? ''} ${said}`.replaceAll(/\s+/g, ' ').trim();
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  const examples = [...texts].toSorted(([, a], [, b]) => b - a).slice(0, MOST_EXAMPLES);
  return [`${calls.length} × ${kind}: ${examples.map(([text, times]) => `${text} (${times})`).join('; ')}`];
}

function count(calls: Call[], which: (status: number | undefined) => boolean): number {
  return calls.filter(({ status }) => which(status)).length;
}

function endOf({ at, ms }: Call): number {
  return at + ms;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
