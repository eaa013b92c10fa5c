import { createDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

/** Two processes of one service over one database; each test app is addressed at its own port. */
export interface TwoProcesses {
  one: TestApp;
  two: TestApp;
  stop(): Promise<void>;
}

/** Starts both at the same moment, on an empty database. @param more environment variables of both */
export async function startTwoProcesses(more: Record<string, string> = {}): Promise<TwoProcesses> {
  const database = await createDatabase();
  // what tokens say must not depend on the process; where requests go must
  const env = {
    AUTH_URL: 'http://localhost:1',
    API_URL: 'http://localhost:1/fan',
    LOGIN_URL: 'http://localhost:1/login',
    ADMIN_URL: 'http://localhost:1/admin',
    ...more,
  };
  const options = { databaseUrl: database.url, env };
  const [one, two] = await Promise.all([startApp(options), startApp(options)]);
  return {
    one: atOwnPort(one),
    two: atOwnPort(two),
    async stop() {
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    },
  };
}

function atOwnPort(app: TestApp): TestApp {
  const { origin } = app;
  return { ...app, config: { ...app.config, authUrl: origin, apiUrl: `${origin}/fan`, loginUrl: `${origin}/login` } };
}

/** Runs `work` `count` times at once, by turns in the two processes. */
export function atOnce<T>({ one, two }: TwoProcesses, count: number, work: (app: TestApp) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? one : two)));
}
