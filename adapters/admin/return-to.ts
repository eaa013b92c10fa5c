import { basePath } from '../http/surface.ts';

const LONGEST = 2_000;

/**
 * The address after a sign-in: the requested one where it is a page of the console, else the first page, so that the sign-in
 * is no open redirect.
 * @param asked such as `/admin/clients?search=x`
 */
export function returnAddress(adminUrl: string, asked: string | null): string {
  const base = basePath(adminUrl);
  if (asked === null || asked.length > LONGEST || !asked.startsWith('/') || !URL.canParse(asked, adminUrl)) {
    return adminUrl;
  }
  const { origin, pathname, search } = new URL(asked, adminUrl);
  const inside = pathname === base || pathname.startsWith(`${base}/`);
  const ofConsole = inside && !pathname.startsWith(`${base}/auth/`) && origin === new URL(adminUrl).origin;
  return ofConsole ? `${origin}${pathname}${search}` : adminUrl;
}
