import type { ServiceContext } from '../../../src/runtime.ts';
import type { OpenRun } from '../../../src/sandbox/go-live-check/open-run.ts';
import type { RequestContext } from '../../http/request-state.ts';

/** What the routes below `…/check/:run` work with. */
export interface Work {
  context: ServiceContext;
  open: OpenRun;
}

/** Finds the run of a request. @throws DomainError `not_found`, `rate_limited` */
export type WorkOf = (ctx: RequestContext & { params: Record<string, string | undefined> }) => Promise<Work>;

/** The bearer token of a call; undefined where it has none. */
export function bearerIn(ctx: RequestContext): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(ctx.get('Authorization'))?.[1];
}
