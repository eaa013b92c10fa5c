import { createContext, type Runtime } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { listOwnTestUsers } from '../../../src/sandbox/test-users.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import { servedDocsUrl } from '../../http/help-link.ts';
import { remembered } from '../../http/remembered.ts';
import type { Handler } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { recentRequests } from './recent-requests.ts';

/** Address of the playground: the issuer's origin and a path of its own, which the starter kit's client has registered. */
export function playgroundUrl({ config }: Pick<Runtime, 'config'>): string {
  return `${new URL(config.authUrl).origin}/playground`;
}

const MOST_TEST_USERS = 50;
/** Seconds between two reads of the database, however many browsers have the page open. */
const TEST_USERS_AGE = 5;
const REQUESTS_AGE = 1;

/**
 * An example partner in the browser, for the starter kit's client and nobody else: every step from the authorize request to a sold
 * ticket, with each request and answer. Anyone who reaches it may use this client's sandbox (D-289).
 */
export async function playgroundSurface(runtime: Runtime, kit: StarterKit): Promise<Handler> {
  const url = playgroundUrl(runtime);
  const rpcUrl = () => runtime.chains.sandbox?.publicRpcUrl ?? null;
  const connect = () => {
    const called = [kit.auth_url, kit.api_url, rpcUrl()].filter((base) => base !== null);
    return [...new Set(called.map((base) => new URL(base).origin))];
  };
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), url, { connect });
  const testUsers = remembered(runtime, TEST_USERS_AGE, () =>
    settled(listOwnTestUsers(createContext(runtime, null), kit.client_id, MOST_TEST_USERS)),
  );
  const requests = remembered(runtime, REQUESTS_AGE, () => settled(recentRequests(runtime, kit.client_id)));

  return serveRoutes([
    { path: ['/playground', '/playground/callback'], methods: ['GET'], handle: (ctx) => page.index(ctx) },
    page.assets,
    {
      path: '/playground/config.json',
      methods: ['GET'],
      cache: 'no-store',
      async handle(ctx) {
        ctx.body = {
          client_id: kit.client_id,
          auth_url: kit.auth_url,
          api_url: kit.api_url,
          login_url: kit.login_url,
          redirect_uris: kit.redirect_uris,
          scopes: kit.scopes,
          rpc_url: rpcUrl(),
          docs_url: servedDocsUrl(runtime.config),
          test_users: unwrap(await testUsers()),
        };
      },
    },
    {
      path: '/playground/requests.json',
      methods: ['GET'],
      cache: 'no-store',
      async handle(ctx) {
        ctx.body = { requests: unwrap(await requests()) };
      },
    },
  ]);
}

/** What `remembered` keeps must not throw. */
async function settled<T>(reading: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([reading]);
  return result;
}

function unwrap<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
