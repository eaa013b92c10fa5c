import { startApp, type TestApp, type TestAppOptions } from './start-app.ts';

/** What tokens say must not depend on the process; where requests go must. */
const COMMON_ADDRESSES = {
  AUTH_URL: 'http://localhost:1',
  API_URL: 'http://localhost:1/fan',
  LOGIN_URL: 'http://localhost:1/login',
  ADMIN_URL: 'http://localhost:1/admin',
};

export type BesideOptions = Omit<TestAppOptions, 'env'> & { env?: Record<string, string> };

/** One of several processes over a database, as tests address it: at its own port. */
export async function startBeside(databaseUrl: string, options: BesideOptions = {}): Promise<TestApp> {
  const app = await startApp({ ...options, databaseUrl, env: { ...COMMON_ADDRESSES, ...options.env } });
  const { origin } = app;
  return { ...app, config: { ...app.config, authUrl: origin, apiUrl: `${origin}/fan`, loginUrl: `${origin}/login` } };
}
