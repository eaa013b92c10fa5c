import type { Handler } from './request-state.ts';

/** A surface of the service (Fan API, authorization server, login pages, …), mounted at its configured URL. */
export interface Surface {
  url: string;
  handle: Handler;
}

/**
 * Matches host and path to the surface with the longest base path; undefined where there is none. The host counts only
 * where surfaces have different ones, so that a single-host set-up answers under any name.
 */
export function surfaceMatcher<Mounted extends { url: string }>(
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

/** Routes a request to its surface; a request that belongs to none goes on. */
export function routeSurfaces(surfaces: Surface[]): Handler {
  const match = surfaceMatcher(surfaces);
  return (ctx, next) => {
    const surface = match(ctx.host, ctx.path);
    return surface ? surface.handle(ctx, next) : next();
  };
}

/** The path of a base URL without a trailing slash: `''` for the root. */
export function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
