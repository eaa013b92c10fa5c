import { Histogram } from 'prom-client';
import type { Operation } from '../../src/activity/operation-texts.ts';
import { OK } from '../../src/activity/operations.ts';
import { ERRORS } from '../../src/errors.ts';
import { isProbe } from '../http/health.ts';
import type { Handler, RequestContext } from '../http/request-state.ts';

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
  workspace: 'partner',
  inventory: 'staff',
  other: 'other',
};

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer, by operation, kind of caller, mode of the client, result (ok, refused, failed) and status',
  // every value is one of a list of ours: callers can make no series
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
        mode: caller?.mode ?? 'none',
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

/** `failed` is our fault. GraphQL answers 200 whatever happens, so the outcome counts beside the status. */
export function resultOf({ status, state: { outcome = OK } }: RequestContext): 'ok' | 'refused' | 'failed' {
  // 501: the caller's method (RFC 9110 §15.6.2)
  if ((status >= 500 && status !== 501) || isFailure(outcome)) return 'failed';
  return status >= 400 || outcome !== OK ? 'refused' : 'ok';
}

function isFailure(outcome: string): boolean {
  return (
    outcome === 'internal' || (Object.hasOwn(ERRORS, outcome) && ERRORS[outcome as keyof typeof ERRORS].status >= 500)
  );
}
