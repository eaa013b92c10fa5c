import compose from 'koa-compose';
import type { Operation } from '../../src/record/activity/operation-texts.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { servedDocsUrl } from '../http/help-link.ts';
import type { Handler, RequestContext } from '../http/request-state.ts';
import { type Route, serveRoutes } from '../http/routes.ts';
import { basePath } from '../http/surface.ts';

type Answer = (ctx: RequestContext) => Promise<void>;

interface Console {
  url: string;
  /** The folder of its built page. */
  dist: URL;
  /** Loaded with the first page or call. */
  graphql(): Promise<Answer>;
  /** How the request log names a GraphQL call and the page. */
  operations: { query: Operation; page?: Operation };
  signIn: Handler;
  /** Its own addresses. */
  routes: Route[];
}

/** A console: its page at every address below it, the GraphQL endpoint, and its sign-in. */
export async function consoleSurface(runtime: Runtime, console: Console): Promise<Handler> {
  const { url, dist, operations, signIn } = console;
  const base = basePath(url);
  const docsUrl = servedDocsUrl(runtime.config);
  const page = await loadBuiltPage(dist, url, { styleElements: true, forms: true, docsUrl });
  const graphql = lateEndpoint(console.graphql);
  const path = `${base}/graphql`;
  const routes = serveRoutes([
    { path, methods: ['POST'], operation: operations.query, cache: 'no-store', handle: graphql.answer },
    // otherwise the page would answer
    { path, methods: ['GET'], handle: graphql.refuseGet },
    ...console.routes,
    page.assets,
    {
      // the page reads its address itself, so that every view can be linked to
      path: [base || '/', `${base}/*view`],
      methods: ['GET'],
      ...(operations.page && { operation: operations.page }),
      handle(ctx) {
        page.index(ctx);
        // the page makes its first calls in a moment
        graphql.prepare();
      },
    },
  ]);
  return compose([signIn, routes]);
}

/**
 * A GraphQL endpoint that is loaded when it or its page is first used. Loading takes a third of a second and 60 MB, which a
 * process without users of it saves. Nothing in it depends on the configuration.
 */
function lateEndpoint(load: () => Promise<Answer>) {
  let loading: Promise<Answer> | undefined;
  const loadOnce = () => {
    loading ??= load();
    return loading;
  };
  return {
    // if loading fails, the call that needs it fails too and logs why
    prepare: () => void loadOnce().catch(() => undefined),
    answer: async (ctx: RequestContext) => (await loadOnce())(ctx),
    refuseGet(ctx: RequestContext) {
      ctx.set('Allow', 'POST');
      ctx.status = 405;
      ctx.body = { errors: [{ message: 'Use POST for queries.', extensions: { code: 'invalid_request' } }] };
    },
  };
}
