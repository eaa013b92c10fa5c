import type { RequestContext } from './request-state.ts';

type Answer = (ctx: RequestContext) => Promise<void>;

/**
 * A GraphQL endpoint, loaded at its first use or that of its page: it takes a third of a second and 60 MB, which a process
 * without users of it does not need. Nothing in it depends on the configuration.
 */
export function lateEndpoint(load: () => Promise<Answer>) {
  let loading: Promise<Answer> | undefined;
  const loadOnce = () => {
    loading ??= load();
    return loading;
  };
  return {
    // a call that needs it fails then, and logs why
    prepare: () => void loadOnce().catch(() => undefined),
    answer: async (ctx: RequestContext) => (await loadOnce())(ctx),
    refuseGet(ctx: RequestContext) {
      ctx.set('Allow', 'POST');
      ctx.status = 405;
      ctx.body = { errors: [{ message: 'Use POST for queries.', extensions: { code: 'invalid_request' } }] };
    },
  };
}
