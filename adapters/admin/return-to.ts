import { basePath } from '../http/surface.ts';

const LONGEST = 2_000;

/**
 * The address to go on to after a sign-in: what was asked for where that is a page of the console, else its first page. So
 * no link to our sign-in leads anywhere else.
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
