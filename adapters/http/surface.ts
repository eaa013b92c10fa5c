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

/** Routes a request to the surface with the longest matching path; requests that belong to none go on. */
export function routeSurfaces(surfaces: Surface[]): Middleware<RequestState> {
  const severalHosts = new Set(surfaces.map((surface) => new URL(surface.url).host)).size > 1;
  const mounted = surfaces
    .map(({ url, handle }) => ({ host: new URL(url).host, path: basePath(url), handle }))
    .sort((a, b) => b.path.length - a.path.length);
  return (ctx: Context, next: Next) => {
    const found = mounted.find(
      ({ host, path }) =>
        (ctx.path === path || ctx.path.startsWith(`${path}/`)) && (!severalHosts || ctx.host === host),
    );
    return found ? found.handle(ctx as Parameters<typeof found.handle>[0], next) : next();
  };
}

/** The path of a base URL without a trailing slash: `''` for the root. */
export function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
