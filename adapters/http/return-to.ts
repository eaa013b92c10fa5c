import { basePath } from './surface.ts';

const LONGEST = 2_000;

/**
 * The address after a sign-in: the requested one where it is a page of the surface, else the first page, so that the sign-in
 * is no open redirect.
 * @param asked such as `/admin/clients?search=x`
 */
export function returnAddress(baseUrl: string, asked: string | null): string {
  const base = basePath(baseUrl);
  if (asked === null || asked.length > LONGEST || !asked.startsWith('/') || !URL.canParse(asked, baseUrl)) {
    return baseUrl;
  }
  const { origin, pathname, search } = new URL(asked, baseUrl);
  const inside = pathname === base || pathname.startsWith(`${base}/`);
  const isPage = inside && !pathname.startsWith(`${base}/auth/`) && origin === new URL(baseUrl).origin;
  return isPage ? `${origin}${pathname}${search}` : baseUrl;
}
