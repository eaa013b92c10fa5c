import type { RouterMiddleware } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { Uuid } from '../../src/platform/identifier/type-id.ts';
import type { Mode } from '../../src/platform/mode.ts';
import type { Operation } from '../../src/record/activity/operation-texts.ts';
import type { PlainPages } from './plain-page.ts';

/** Whom a request concerns, for the request log: only what is proved, not what a caller claims. */
export interface Caller {
  client?: Uuid | undefined;
  grant?: Uuid | undefined;
  fan?: Uuid | undefined;
  session?: Uuid | undefined;
  /** Mode of the client or the fan, for the metrics only. */
  mode?: Mode | undefined;
}

/** `ctx.state`: what the middleware and the handler of a request share. */
export interface RequestState {
  /** In the answer, the log and the audit log. */
  requestId: string;
  /** Writes pages without scripts. */
  pages: PlainPages;
  /** What the request log calls the request: set by its route, refined by handlers of several operations. */
  operation?: Operation;
  /** The stable code of a refusal, where the answer itself does not show it. */
  outcome?: string;
  /** The message to a refused caller, where the body of the answer is no JSON object. */
  message?: string;
  caller?: Caller;
  /** Whether a sandbox client's tests simulate the result of this call (D-354). */
  simulated?: boolean;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** Middleware below the app: it may be behind a router. */
export type Handler = RouterMiddleware<RequestState>;
