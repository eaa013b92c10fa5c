import type { Context, Middleware } from 'koa';
import { OK, type Operation } from '../../src/activity/operations.ts';
import { tryUuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { AccessTokenPayload } from '../../src/token/verify-access-token.ts';
import type { RequestState } from './request-id.ts';

/** What a handler learns of its request, for the request log. References are `uuid`s of what is proved, not of what is said. */
export interface RequestFacts {
  operation: Operation;
  /** The stable code of a refusal, where the answer itself does not tell it. */
  outcome?: string;
  client: string | null;
  grant: string | null;
  fan: string | null;
  session: string | null;
}

/** Puts every answered request of a surface into the request log, once its answer stands. */
export function recordRequests(runtime: Pick<Runtime, 'activity' | 'now'>): Middleware<RequestState> {
  return async (ctx, next) => {
    const at = runtime.now();
    const started = performance.now();
    const facts: RequestFacts = { operation: 'other', client: null, grant: null, fan: null, session: null };
    (ctx.state as { facts?: RequestFacts }).facts = facts;
    let failed = true;
    try {
      await next();
      failed = false;
    } finally {
      // what no surface has caught is answered by Koa, later
      const status = failed ? 500 : ctx.status;
      runtime.activity.record({
        id: ctx.state.requestId,
        at,
        method: ctx.method.slice(0, 10),
        status,
        durationMs: Math.round(performance.now() - started),
        ...facts,
        outcome: facts.outcome ?? (failed ? 'internal' : status < 400 ? OK : refusalOf(ctx)),
      });
    }
  };
}

/** Notes what a handler has learned. On a surface that is not recorded nothing happens. */
export function learn(ctx: Pick<Context, 'state'>, facts: Partial<RequestFacts>): void {
  const { facts: known } = ctx.state as { facts?: RequestFacts };
  if (known) Object.assign(known, facts);
}

/** What a verified token says, remembered: the same token comes many times. */
const references = new WeakMap<AccessTokenPayload, Pick<RequestFacts, 'client' | 'grant' | 'fan'>>();

/** Notes whose verified access token a request came with. */
export function learnToken(ctx: Pick<Context, 'state'>, token: AccessTokenPayload): void {
  let found = references.get(token);
  if (!found) {
    found = {
      client: tryUuidOf('client', token.client_id) ?? null,
      grant: tryUuidOf('grant', token.grant_id) ?? null,
      fan: tryUuidOf('usr', token.sub) ?? null,
    };
    references.set(token, found);
  }
  learn(ctx, found);
}

/** The code in the answer: the Fan API's header, or the `error` of an OAuth answer. */
function refusalOf({ response, body, status }: Context): string {
  const code: string | undefined = response.get('X-Error-Code');
  if (code) return code;
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') return body.error;
  return `http_${status}`;
}
