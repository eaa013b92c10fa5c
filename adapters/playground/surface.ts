import type { Runtime } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import type { Handler } from '../http/request-state.ts';
import { serveRoutes } from '../http/routes.ts';

/** Address of the playground: the issuer's origin and a path of its own, which the starter kit's client has registered. */
export function playgroundUrl({ config }: Pick<Runtime, 'config'>): string {
  return `${new URL(config.authUrl).origin}/playground`;
}

/** An example partner in the browser, for the starter kit's client: sign in as a test user, look at the tokens and tickets. */
export async function playgroundSurface(runtime: Runtime, kit: StarterKit): Promise<Handler> {
  const url = playgroundUrl(runtime);
  const origins = [kit.auth_url, kit.api_url].map((base) => new URL(base).origin);
  const { knownSurfaces, docsUrl } = runtime.config;
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), url, {
    connect: [...new Set(origins)],
    docsUrl: knownSurfaces.has('docs') ? docsUrl : undefined,
  });
  const settings = {
    client_id: kit.client_id,
    auth_url: kit.auth_url,
    api_url: kit.api_url,
    scopes: kit.scopes,
    test_users: kit.test_users.map(({ phone, code }) => ({ phone, code })),
  };

  return serveRoutes([
    { path: ['/playground', '/playground/callback'], methods: ['GET'], handle: (ctx) => page.index(ctx) },
    page.assets,
    {
      path: '/playground/config.json',
      methods: ['GET'],
      cache: 'no-store',
      handle(ctx) {
        ctx.body = settings;
      },
    },
  ]);
}
