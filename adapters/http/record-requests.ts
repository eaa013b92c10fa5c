import type { Context, Middleware } from 'koa';
import { OK } from '../../src/record/activity/operations.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { RequestState } from './request-state.ts';

/** Writes every answered request of a surface to the request log. */
export function recordRequests(runtime: Pick<Runtime, 'activity' | 'now'>): Middleware<RequestState> {
  return async (ctx, next) => {
    const at = runtime.now();
    const started = performance.now();
    let failed = true;
    try {
      await next();
      failed = false;
    } finally {
      const { requestId, operation = 'other', caller } = ctx.state;
      // an error that no surface has caught is answered by Koa, later
      const status = failed ? 500 : ctx.status;
      ctx.state.outcome ??= failed ? 'internal' : status < 400 ? OK : errorCodeOf(ctx);
      const { outcome } = ctx.state;
      runtime.activity.record({
        id: requestId,
        at,
        operation,
        method: ctx.method.slice(0, 10),
        path: operation === 'other' ? ctx.path : null,
        status,
        outcome,
        message: outcome === OK ? null : (ctx.state.message ?? messageIn(ctx.body)),
        durationMs: Math.round(performance.now() - started),
        client: caller?.client ?? null,
        grant: caller?.grant ?? null,
        fan: caller?.fan ?? null,
        session: caller?.session ?? null,
      });
    }
  };
}

/** The code in the answer: the Fan API's header, or the `error` of an OAuth answer. */
function errorCodeOf({ response, body, status }: Context): string {
  const code: string | undefined = response.get('X-Error-Code');
  if (code) return code;
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') return body.error;
  return `http_${status}`;
}

/** The message of a JSON answer: the Fan API's `message`, OAuth's `error_description`, the first of GraphQL's errors. */
function messageIn(body: unknown): string | null {
  const text = memberOf(body, 'message') ?? memberOf(body, 'error_description');
  if (typeof text === 'string') return text;
  const error = memberOf(body, 'error') ?? memberOf(memberOf(body, 'errors'), '0');
  const message = memberOf(error, 'message');
  return typeof message === 'string' ? message : null;
}

function memberOf(value: unknown, name: string): unknown {
  // a stream or a buffer is no answer that we wrote as an object
  const isPlain = Array.isArray(value) || (typeof value === 'object' && value !== null && value.constructor === Object);
  return isPlain ? (value as Record<string, unknown>)[name] : undefined;
}
