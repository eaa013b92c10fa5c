import { createContext, type Runtime } from '../../src/runtime.ts';
import { makeLocalAdminLink } from '../../src/staff/make-link.ts';

/** The console's address, as a new sign-in link where staff sign in by links; undefined where it is not served. */
export async function consoleAddress(runtime: Runtime): Promise<string | undefined> {
  const { surfaces, staffProvider, adminUrl } = runtime.config;
  if (!surfaces.has('admin')) return undefined;
  return staffProvider ? adminUrl : (await makeLocalAdminLink(createContext(runtime, null))).url;
}
