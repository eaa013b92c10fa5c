import type { Context, Middleware, Next } from 'koa';
import type { RequestState } from './request-id.ts';

/**
 * A surface of the service (Fan API, authorization server, login pages, …) is mounted where its configured URL says. The
 * host counts only where surfaces have different ones, so that a single-host set-up answers under any name.
 */
export interface Surface {
  /** Its base URL, from the configuration. */
  url: string;
  handle: Middleware<RequestState>;
}

/** Finds what is mounted at the longest matching path, by host and path; undefined where an address belongs to none. */
export function surfaceFinder<Mounted extends { url: string }>(
  all: Mounted[],
): (host: string, path: string) => Mounted | undefined {
  const severalHosts = new Set(all.map(({ url }) => new URL(url).host)).size > 1;
  const mounted = all
    .map((surface) => ({ host: new URL(surface.url).host, base: basePath(surface.url), surface }))
    .sort((a, b) => b.base.length - a.base.length);
  return (host, path) =>
    mounted.find(
      (each) => (path === each.base || path.startsWith(`${each.base}/`)) && (!severalHosts || host === each.host),
    )?.surface;
}

/** Routes a request to its surface; requests that belong to none go on. */
export function routeSurfaces(surfaces: Surface[]): Middleware<RequestState> {
  const find = surfaceFinder(surfaces);
  return (ctx: Context, next: Next) => {
    const found = find(ctx.host, ctx.path);
    return found ? found.handle(ctx as Parameters<typeof found.handle>[0], next) : next();
  };
}

/** The path of a base URL without a trailing slash: `''` for the root. */
export function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
