import { ConfigError, readConfig } from '../../src/platform/config/read-config.ts';

/** Addresses and the rest that a production process must have, over an embedded database. */
export const PRODUCTION_ENV = {
  NODE_ENV: 'production',
  AUTH_URL: 'https://fan.example',
  API_URL: 'https://fan.example/fan',
  LOGIN_URL: 'https://fan.example/login',
  ADMIN_URL: 'https://fan.example/admin',
  TRUSTED_PROXIES: '0',
  EMBEDDED_DATABASE: 'true',
};

/** What is wrong with an environment, one line per variable, as it is printed. */
export function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}
