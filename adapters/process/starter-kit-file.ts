import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLocalAdminLink } from '../../src/people/staff/make-link.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';

/** Writes the starter kit to `DATA_DIR/starter-kit.json`, unless it is unchanged. @returns the file's path */
export async function writeStarterKit(dataDir: string, kit: StarterKit): Promise<string> {
  const file = join(dataDir, 'starter-kit.json');
  const text = `${JSON.stringify(kit, null, 2)}\n`;
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== text) {
    await mkdir(dataDir, { recursive: true });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }
  return file;
}

/** The starter kit for the terminal. The documentation, the inbox and the console are undefined where they are not served. */
export function describeStarterKit(
  kit: StarterKit,
  file: string,
  addresses: { docs: string | undefined; playground: string; inbox: string | undefined; console: string | undefined },
): string {
  return [
    '',
    '  Fan API is ready',
    '',
    ...(addresses.docs === undefined ? [] : [`    documents    ${addresses.docs}`]),
    `    playground   ${addresses.playground}`,
    `    fan's apps   ${kit.login_url}/apps`,
    ...(addresses.console === undefined ? [] : [`    console      ${addresses.console}`]),
    ...(addresses.inbox === undefined ? [] : [`    SMS inbox    ${addresses.inbox}`]),
    `    issuer       ${kit.auth_url}`,
    `    Fan API      ${kit.api_url}`,
    `    client_id    ${kit.client_id}`,
    ...kit.test_users.map(({ phone, code }) => `    test user    ${phone}   code ${code}`),
    `    kit file     ${file}`,
    '',
    '',
  ].join('\n');
}

/** The console's address, as a new sign-in link where staff sign in by links; undefined where it is not served. */
export async function consoleAddress(runtime: Runtime): Promise<string | undefined> {
  const { surfaces, staffProvider, adminUrl } = runtime.config;
  if (!surfaces.has('admin')) return undefined;
  return staffProvider ? adminUrl : (await makeLocalAdminLink(createContext(runtime, null))).url;
}
