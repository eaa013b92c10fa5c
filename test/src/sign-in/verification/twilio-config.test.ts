import { spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { deriveKeys } from '../../../../src/keys/seal.ts';
import { ConfigError, readConfig } from '../../../../src/platform/config/config.ts';
import { chooseProvider } from '../../../../src/sign-in/verification/choose-provider.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  FALLBACK_SERVICE_SID,
  SERVICE_SID,
} from '../../../support/twilio-stand-in.ts';

const TWILIO = {
  VERIFICATION_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: ACCOUNT_SID,
  TWILIO_API_KEY_SID: API_KEY_SID,
  TWILIO_API_KEY_SECRET: API_KEY_SECRET,
  TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
};
const PRODUCTION = {
  NODE_ENV: 'production',
  SURFACES: 'fan,auth,login',
  AUTH_URL: 'https://fan.example',
  API_URL: 'https://fan.example/fan',
  LOGIN_URL: 'https://fan.example/login',
  ADMIN_URL: 'https://fan.example/admin',
  TRUSTED_PROXIES: '0',
  EMBEDDED_DATABASE: 'true',
};

/** The variables named in the refusal. */
function refused(env: Record<string, string>): string[] {
  return lines(env).map((line) => line.trim().split(':')[0] ?? '');
}

function lines(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

function without(...names: (keyof typeof TWILIO)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(TWILIO).filter(([name]) => !names.includes(name as keyof typeof TWILIO)));
}

describe('VERIFICATION_PROVIDER', () => {
  it('is log by default, and needs nothing', () => {
    expect(readConfig({}).verification).toEqual({ provider: 'log' });
  });

  it('twilio: signs in by an API key', () => {
    expect(readConfig(TWILIO).verification).toEqual({
      provider: 'twilio',
      accountSid: ACCOUNT_SID,
      username: API_KEY_SID,
      password: API_KEY_SECRET,
      serviceSid: SERVICE_SID,
      fallbackServiceSid: undefined,
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'everything',
      { VERIFICATION_PROVIDER: 'twilio' },
      ['TWILIO_VERIFY_SERVICE_SID', 'TWILIO_ACCOUNT_SID', 'TWILIO_API_KEY_SID', 'TWILIO_API_KEY_SECRET'],
    ],
    ['the account', without('TWILIO_ACCOUNT_SID'), ['TWILIO_ACCOUNT_SID']],
    ['the service', without('TWILIO_VERIFY_SERVICE_SID'), ['TWILIO_VERIFY_SERVICE_SID']],
    ['the key of a secret', without('TWILIO_API_KEY_SID'), ['TWILIO_API_KEY_SID']],
    ['the secret of a key', without('TWILIO_API_KEY_SECRET'), ['TWILIO_API_KEY_SECRET']],
    ['a second service', { ...TWILIO, TWILIO_FALLBACK_SERVICE_SID: SERVICE_SID }, ['TWILIO_FALLBACK_SERVICE_SID']],
  ])('twilio without %s is refused', (_, env, names) => {
    expect(refused(env)).toEqual(names);
  });

  it.each([
    ['VERIFICATION_PROVIDER', 'sms'],
    ['TWILIO_ACCOUNT_SID', API_KEY_SID],
    ['TWILIO_ACCOUNT_SID', ACCOUNT_SID.slice(1)],
    ['TWILIO_ACCOUNT_SID', ACCOUNT_SID.toLowerCase()],
    ['TWILIO_API_KEY_SID', ACCOUNT_SID],
    ['TWILIO_API_KEY_SECRET', 'short'],
    ['TWILIO_API_KEY_SECRET', `${API_KEY_SECRET} `],
    ['TWILIO_VERIFY_SERVICE_SID', 'VA1'],
    ['TWILIO_FALLBACK_SERVICE_SID', `${SERVICE_SID}0`],
  ])('%s=%s is refused, and the value not repeated', (name, value) => {
    const found = lines({ ...TWILIO, [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^  ${name}: \\S+`));
    expect(found[0]).not.toContain(value);
  });

  it.each(['VERIFICATION_PROVIDERS', 'TWILIO_SERVICE_SID', 'TWILIO_EDGE', 'TWILIO_LOG_LEVEL'])(
    'a name that would be ignored, or read by the package behind our back, is refused: %s',
    (name) => {
      expect(refused({ ...TWILIO, [name]: 'x' })).toEqual([name]);
    },
  );

  it('D-012: production with a login surface needs twilio', () => {
    expect(refused(PRODUCTION)).toEqual(['VERIFICATION_PROVIDER']);
    expect(refused({ ...PRODUCTION, VERIFICATION_PROVIDER: 'log' })).toEqual(['VERIFICATION_PROVIDER']);
    expect(refused({ ...PRODUCTION, ...TWILIO })).toEqual([]);
    expect(refused({ ...PRODUCTION, SURFACES: 'fan,auth' })).toEqual([]);
  });
});

describe('the provider that is chosen', () => {
  const tools = { log: pino({ level: 'silent' }), secrets: deriveKeys(createSecretKey(Buffer.alloc(32, 1))) };

  it.each<[string, Record<string, string>, string, boolean]>([
    ['nothing', {}, 'log', false],
    ['twilio', TWILIO, 'twilio', true],
    [
      'twilio and a fallback',
      { ...TWILIO, TWILIO_FALLBACK_SERVICE_SID: FALLBACK_SERVICE_SID },
      'twilio, then twilio-fallback',
      true,
    ],
  ])('for %s', async (_, env, name, forProduction) => {
    expect(await chooseProvider(readConfig(env), tools)).toMatchObject({ name, forProduction });
  });

  it('only twilio loads Twilio’s package', () => {
    const script = `
      const { createSecretKey } = await import('node:crypto');
      const { createRequire } = await import('node:module');
      const { pino } = await import('pino');
      const { chooseProvider } = await import('./src/sign-in/verification/choose-provider.ts');
      const { deriveKeys } = await import('./src/keys/seal.ts');
      const { readConfig } = await import('./src/platform/config/config.ts');
      const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));
      await chooseProvider(readConfig(process.env), { log: pino({ level: 'silent' }), secrets });
      const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/twilio/'));
      process.stdout.write(String(loaded));`;
    const loads = (env: Record<string, string>) =>
      spawnSync('node_modules/.bin/node', ['--input-type=module', '-e', script], {
        env: { ...CHILD_ENV, ...env },
        encoding: 'utf8',
      });
    expect(loads({})).toMatchObject({ stdout: 'false', stderr: '', status: 0 });
    expect(loads(TWILIO)).toMatchObject({ stdout: 'true', stderr: '', status: 0 });
  });
});
