import { Histogram } from 'prom-client';
import { ERRORS } from '../../../src/platform/errors.ts';
import type { Uuid } from '../../../src/platform/identifier/type-id.ts';
import type { Mode } from '../../../src/platform/mode.ts';
import type { Operation } from '../../../src/record/activity/operation-texts.ts';
import { OK } from '../../../src/record/activity/operations.ts';
import { isProbe } from '../../http/health.ts';
import type { Caller, Handler, RequestContext } from '../../http/request-state.ts';

type AreaOf<Name> = Name extends `${infer Area}.${string}` ? Area : Name;

/** Who calls the operations of an area, which is the part of their names before the point. */
const CALLERS: Record<AreaOf<Operation>, 'partner' | 'fan' | 'staff' | 'other'> = {
  notifications: 'partner',
  tickets: 'partner',
  wallet: 'partner',
  listings: 'partner',
  claims: 'partner',
  token: 'partner',
  userinfo: 'partner',
  receipts: 'partner',
  sandbox: 'partner',
  metadata: 'partner',
  authorize: 'fan',
  login: 'fan',
  portal: 'fan',
  graphql: 'staff',
  console: 'staff',
  workspace: 'partner',
  inventory: 'staff',
  page: 'other',
  other: 'other',
};

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer, by operation, kind of caller, mode of the client, result (ok, refused, failed, simulated) and status',
  // every value is from a fixed list: callers can't create series
  labelNames: ['operation', 'caller', 'mode', 'result', 'status'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

/** Measures every request but the probes, which nobody waits for. */
export function countRequests(): Handler {
  return async (ctx, next) => {
    if (isProbe(ctx.path)) return next();
    const started = performance.now();
    try {
      await next();
    } finally {
      const { operation = 'other', caller } = ctx.state;
      const labels = {
        operation,
        caller: CALLERS[areaOf(operation)],
        mode: modeOf(caller),
        result: resultOf(ctx),
        status: ctx.status,
      };
      duration.observe(labels, (performance.now() - started) / 1_000);
    }
  };
}

function areaOf(operation: Operation): AreaOf<Operation> {
  return operation.split('.')[0] as AreaOf<Operation>;
}

/** The mode of each client that a call has proved; it never changes. A call that is refused or fails gets its client's mode from here. */
const modes = new Map<Uuid, Mode>();
/** A process that meets more clients counts the others' refused calls without a mode. */
const MOST_CLIENTS = 10_000;

function modeOf({ client, mode }: Caller = {}): Mode | 'none' {
  if (client === undefined) return mode ?? 'none';
  if (mode !== undefined && modes.size < MOST_CLIENTS) modes.set(client, mode);
  return mode ?? modes.get(client) ?? 'none';
}

/**
 * `failed` is our fault. GraphQL answers 200 whatever happens, so the outcome counts beside the status. A simulated
 * call (D-354) is `failed` only by a defect, which nobody can arm.
 */
export function resultOf({ status, state }: RequestContext): 'ok' | 'refused' | 'failed' | 'simulated' {
  const { outcome = OK, simulated = false } = state;
  if (simulated && status !== 500 && outcome !== 'internal') return 'simulated';
  // 501: the caller's method (RFC 9110 §15.6.2)
  if ((status >= 500 && status !== 501) || isFailure(outcome)) return 'failed';
  return status >= 400 || outcome !== OK ? 'refused' : 'ok';
}

function isFailure(outcome: string): boolean {
  return (
    outcome === 'internal' || (Object.hasOwn(ERRORS, outcome) && ERRORS[outcome as keyof typeof ERRORS].status >= 500)
  );
}
