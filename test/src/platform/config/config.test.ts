import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { SECRETS } from '../../../../src/platform/config/variables.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { PRODUCTION_ENV, problems } from '../../../support/config-problems.ts';
import { testFolder } from '../../../support/test-folder.ts';

const folder = await testFolder();

const KEY = Buffer.alloc(32, 3);
const DATABASE = { DATABASE_URL: 'postgres://u:p@localhost/db', KEY_ENCRYPTION_KEY: KEY.toString('hex') };

describe('the defaults', () => {
  it('need no variable at all', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: undefined,
      dataDir: '.data',
      databaseUrl: undefined,
      authUrl: 'http://localhost:3000',
      apiUrl: 'http://localhost:3000/fan',
      loginUrl: 'http://localhost:3000/login',
      adminUrl: 'http://localhost:3000/admin',
      docsUrl: 'http://localhost:3000/docs',
      localnetPort: 8899,
      metricsPort: 9464,
      keyEncryptionKey: undefined,
      accessTokenTtl: 60,
      refreshTokenTtl: 2_592_000,
      logLevel: 'info',
    });
    expect([...readConfig({}).surfaces]).toEqual(['fan', 'auth', 'login', 'admin', 'partners', 'playground', 'docs']);
  });

  it('follow PORT where no address is given', () => {
    expect(readConfig({ PORT: '3100' })).toMatchObject({ authUrl: 'http://localhost:3100', port: 3100 });
  });

  it('an empty variable is as if absent, as compose files write them', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', LOG_LEVEL: '' })).toEqual(readConfig({}));
  });

  it('variables of others are no concern of ours', () => {
    expect(problems({ PATH: '/bin', npm_config_x: 'y', DATABASE_PASSWORD: 'x', TOKEN: 'x' })).toEqual([]);
  });
});

describe('a bad value names its variable', () => {
  const bad = {
    NODE_ENV: ['prod'],
    PORT: ['http', '-1', '65536', '3000.5', '0x10', '1e3', ' '],
    DATABASE_URL: ['mysql://localhost/db', 'localhost'],
    DATABASE_POOL: ['1', '201'],
    AUTH_URL: ['localhost:3000', 'ftp://localhost', 'http://localhost:3000/', 'http://localhost:3000?x=1'],
    API_URL: ['/fan', 'http://localhost/fan#x'],
    LOGIN_URL: ['nowhere'],
    ADMIN_URL: ['javascript:alert(1)'],
    SURFACES: ['fan,everything', ','],
    LOCALNET_PORT: ['x'],
    SANDBOX_RPC_URL: ['ws://localhost'],
    SANDBOX_PROGRAM_ID: ['0OIl'],
    SANDBOX_PUBLIC_RPC_URL: ['rpc.example'],
    LOCALNET: ['yes'],
    PRODUCTION_RPC_URL: ['localhost'],
    PRODUCTION_PROGRAM_ID: ['x'],
    METRICS_PORT: ['99999'],
    KEY_ENCRYPTION_KEY: ['short', 'a'.repeat(63), KEY.toString('hex').slice(2), `${KEY.toString('base64')}!`],
    ACCESS_TOKEN_TTL: ['9', '3601', '1m'],
    REFRESH_TOKEN_TTL: ['59', '31536001'],
    FAN_RATE_LIMIT: ['0'],
    REQUEST_LOG_DAYS: ['0', '101'],
    REQUEST_LOG_SUCCESSES: ['0', '0.0', '1.0', '1.5', '.5', '1e-2', '-0.1'],
    TRUSTED_PROXIES: ['11'],
    VERIFICATION_COUNTRIES: ['GB,United States', 'gb'],
    VERIFICATION_RANGE_LIMIT: ['0'],
    WORKERS: ['0', '65'],
    LOG_LEVEL: ['loud'],
  };
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  it.each(cases)('%s=%s', (name, value) => {
    const found = problems({ [name]: value });
    expect(found).not.toEqual([]);
    for (const line of found) expect(line).toMatch(new RegExp(`^  ${name}: \\S+`));
  });

  it('contradictions are named together with bad values, and nothing is named twice', () => {
    expect(problems({ PORT: 'x', DATABASE_URL: DATABASE.DATABASE_URL })).toEqual([
      expect.stringContaining('PORT: '),
      expect.stringContaining('KEY_ENCRYPTION_KEY: required with DATABASE_URL'),
    ]);
    expect(problems(DATABASE)).toEqual([]);
    expect(problems({ KEY_ENCRYPTION_KEY: 'x', DATABASE_URL: DATABASE.DATABASE_URL })).toEqual([
      expect.stringContaining('KEY_ENCRYPTION_KEY: must be 32 bytes'),
    ]);
  });

  it('the message never repeats a secret', () => {
    const [line] = problems({ KEY_ENCRYPTION_KEY: 'hunter2' });
    expect(line).not.toContain('hunter2');
    expect(problems({ DATABASE_URL: 'mysql://u:hunter2@h/d' }).join()).not.toContain('hunter2');
  });

  it.each([
    ['ACCES_TOKEN_TTL', 'ACCESS_TOKEN_TTL'],
    ['ACCESS_TOKEN_TTLS', 'ACCESS_TOKEN_TTL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['KEY_ENCRPTION_KEY', 'KEY_ENCRYPTION_KEY'],
    ['KEY_ENCRYPTION_KEYS', 'KEY_ENCRYPTION_KEY'],
    ['LOCALNET_PORTS', 'LOCALNET_PORT'],
  ])('%s is corrected to %s', (slip, name) => {
    expect(problems({ [slip]: '1' })).toEqual([`  ${slip}: unknown variable; ${name} is a variable of this service`]);
  });

  it.each(['API_URLS', 'REFRESH_TOKEN_LIFETIME', 'SURFACES_ON', 'STAFF_ISSUER', 'CUSTODY_PROVIDERS'])(
    'a slip in one of our names is named: %s',
    (name) => {
      expect(problems({ [name]: '1' })).toEqual([expect.stringContaining(`${name}: unknown variable`)]);
    },
  );
});

describe('values that do not fit together', () => {
  it('PRODUCTION_RPC_URL needs PRODUCTION_PROGRAM_ID', () => {
    expect(problems({ PRODUCTION_RPC_URL: 'https://rpc.example' })[0]).toContain('PRODUCTION_PROGRAM_ID: required');
  });

  it.each(['AUTH_URL', 'API_URL', 'LOGIN_URL', 'ADMIN_URL'])('production: %s must be https', (name) => {
    const https = { ...PRODUCTION_ENV, SURFACES: 'fan,auth' };
    expect(problems(https)).toEqual([]);
    const found = problems({ ...https, [name]: 'http://fan.example' });
    expect(found).toEqual([expect.stringContaining(`${name}: must be https`)]);
  });

  it.each(['auth', 'login'])('production with the %s surface needs TRUSTED_PROXIES', (surface) => {
    const env = { ...PRODUCTION_ENV, SURFACES: surface, TRUSTED_PROXIES: '' };
    const named = (more: object) => problems({ ...env, ...more }).filter((line) => line.includes('TRUSTED_PROXIES'));
    expect(named({})).toEqual([expect.stringContaining('TRUSTED_PROXIES: required when NODE_ENV is production')]);
    expect(named({ TRUSTED_PROXIES: '0' })).toEqual([]);
    expect(named({ TRUSTED_PROXIES: '2' })).toEqual([]);
    expect(named({ SURFACES: 'fan' })).toEqual([]);
    expect(named({ NODE_ENV: 'development' })).toEqual([]);
  });

  it('production needs DATABASE_URL, or a word that the embedded one is meant', () => {
    const env = { NODE_ENV: 'production', SURFACES: 'playground' };
    const about = (more: object) => problems({ ...env, ...more }).filter((line) => line.includes('DATABASE_URL'));
    expect(about({})).toEqual([expect.stringContaining('DATABASE_URL: required')]);
    expect(about({ EMBEDDED_DATABASE: 'true' })).toEqual([]);
    expect(about(DATABASE)).toEqual([]);
  });

  it('production on a server elsewhere needs TLS', () => {
    const elsewhere = { ...PRODUCTION_ENV, ...DATABASE, DATABASE_URL: 'postgres://u@db.example/d' };
    expect(problems(elsewhere)).toContainEqual(expect.stringContaining('DATABASE_URL: '));
    expect(problems({ ...elsewhere, NODE_ENV: 'development' }).join()).not.toContain('DATABASE_URL');
  });
});

describe('SANDBOX_PUBLIC_RPC_URL, which every partner reads', () => {
  it.each([
    ['credentials', 'https://user:hunter2@rpc.example'],
    ['a user name', 'https://hunter2@rpc.example'],
    ['a query', 'https://rpc.example/?api-key=hunter2'],
    ['a fragment', 'https://rpc.example/#hunter2'],
    ['32 hexadecimal digits in its path', 'https://rpc.example/v3/0f9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c/'],
    ['a UUID in its path', 'https://rpc.example/0b7d2c6e-1f1a-4a52-9c1e-6a2f4b8d9e10'],
    ['letters of both cases in its path', 'https://rpc.example/v2/AbCdEfGhIjKlMnOp'],
    ['an escaped key in its path', 'https://rpc.example/%41bCdEfGhIjKl%4Dn0p'],
    ['a very long word in its path', `https://rpc.example/${'k'.repeat(40)}`],
  ])('is refused with %s, and the message does not repeat it', (_, url) => {
    const found = problems({ SANDBOX_PUBLIC_RPC_URL: url });
    expect(found).toEqual([expect.stringMatching(/^ {2}SANDBOX_PUBLIC_RPC_URL: must .*(key|user name|query)/)]);
    expect(found[0]).not.toContain(new URL(url).pathname.slice(1) || 'hunter2');
  });

  it.each([
    'https://api.devnet.solana.com',
    'http://127.0.0.1:8899',
    'https://rpc.example/solana-testnet-for-partners/',
  ])('may be %s', (url) => {
    expect(readConfig({ SANDBOX_PUBLIC_RPC_URL: url }).chains.sandbox.publicRpcUrl).toBe(url);
  });
});

describe('LOCALNET', () => {
  const production = { ...PRODUCTION_ENV, SURFACES: 'fan' };

  it('in development a local network runs unless it is declined; in production only where it is asked for', () => {
    expect(readConfig({}).localnet).toBe(true);
    expect(readConfig({ LOCALNET: 'false' }).localnet).toBe(false);
    expect(readConfig(production).localnet).toBe(false);
    expect(readConfig({ ...production, LOCALNET: 'true' }).localnet).toBe(true);
  });

  it('no local network runs beside SANDBOX_RPC_URL, and asking for both is an error', () => {
    expect(readConfig({ SANDBOX_RPC_URL: 'https://rpc.example' }).localnet).toBe(false);
    expect(problems({ SANDBOX_RPC_URL: 'https://rpc.example', LOCALNET: 'true' })).toEqual([
      expect.stringContaining('LOCALNET: has no effect with SANDBOX_RPC_URL'),
    ]);
  });
});

describe('KEY_ENCRYPTION_KEY', () => {
  it.each(['hex', 'base64', 'base64url'] as const)('is taken in %s', (encoding) => {
    expect(readConfig({ KEY_ENCRYPTION_KEY: KEY.toString(encoding) }).keyEncryptionKey?.export()).toEqual(KEY);
  });

  it('is not shown by what is printed of a configuration, nor is its fallback', () => {
    const other = Buffer.alloc(32, 4);
    const env = { KEY_ENCRYPTION_KEY: KEY.toString('hex'), KEY_ENCRYPTION_KEY_FALLBACK: other.toString('hex') };
    const printed = inspect(readConfig(env), { depth: 9, showHidden: true }) + JSON.stringify(readConfig(env));
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(printed).not.toContain(KEY.toString(form));
      expect(printed).not.toContain(other.toString(form));
    }
    expect(printed).not.toContain('03 03 03');
  });

  it('a fallback must be another key, and needs one', () => {
    const key = { KEY_ENCRYPTION_KEY: KEY.toString('hex') };
    expect(problems({ KEY_ENCRYPTION_KEY_FALLBACK: KEY.toString('hex') })).toEqual([
      '  KEY_ENCRYPTION_KEY_FALLBACK: is of no use without KEY_ENCRYPTION_KEY',
    ]);
    expect(problems({ ...key, KEY_ENCRYPTION_KEY_FALLBACK: KEY.toString('base64') })).toEqual([
      '  KEY_ENCRYPTION_KEY_FALLBACK: must be another key than KEY_ENCRYPTION_KEY',
    ]);
    expect(problems({ ...key, KEY_ENCRYPTION_KEY_FALLBACK: 'short' })).toEqual([
      expect.stringContaining('KEY_ENCRYPTION_KEY_FALLBACK: must be 32 bytes'),
    ]);
    expect(problems({ ...key, KEY_ENCRYPTION_KEY_FALLBACK: Buffer.alloc(32, 4).toString('hex') })).toEqual([]);
  });
});

describe('CUSTODY_PROVIDER', () => {
  const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

  it('aws-kms needs the ARN of a key; database may have one', () => {
    expect(problems({ CUSTODY_PROVIDER: 'aws-kms' })).toEqual([
      '  CUSTODY_KMS_KEY_ARN: required when CUSTODY_PROVIDER is aws-kms',
    ]);
    expect(problems({ CUSTODY_PROVIDER: 'aws-kms', CUSTODY_KMS_KEY_ARN: arn })).toEqual([]);
    expect(readConfig({ CUSTODY_KMS_KEY_ARN: arn }).custody).toEqual({ provider: 'database', kmsKeyArn: arn });
    expect(problems({ CUSTODY_PROVIDER: 'vault' })).toEqual([expect.stringContaining('CUSTODY_PROVIDER')]);
  });

  it.each(['alias/wallets', arn.replace(':key/', ':alias/'), `${arn} `, arn.replace('111122223333', '1')])(
    'no other text is an ARN of a key: %s',
    (text) => {
      expect(problems({ CUSTODY_KMS_KEY_ARN: text })).toEqual([
        expect.stringContaining('must be the ARN of a KMS key'),
      ]);
    },
  );
});

it('WORKERS need a database and a sandbox network that belong to none of them', () => {
  expect(problems({ WORKERS: '2' })).toEqual([
    expect.stringContaining('WORKERS: more than 1 needs DATABASE_URL'),
    expect.stringContaining('WORKERS: more than 1 needs SANDBOX_RPC_URL'),
  ]);
  for (const apart of [{ SANDBOX_RPC_URL: 'https://rpc.example' }, { SURFACES: 'auth,login' }, { LOCALNET: 'false' }]) {
    expect(problems({ WORKERS: '2', ...DATABASE, ...apart })).toEqual([]);
  }
  expect(problems({ WORKERS: '1' })).toEqual([]);
});

it('the process prints what is wrong and exits with code 1, before it touches anything', () => {
  const dataDir = join(folder, 'data');
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/node', ['adapters/process/main.ts'], {
    env: { ...CHILD_ENV, DATA_DIR: dataDir, PORT: 'http', ACCESS_TOKEN_TTLS: '60' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toEqual([
    "The configuration can't be used:",
    '  ACCESS_TOKEN_TTLS: unknown variable; ACCESS_TOKEN_TTL is a variable of this service',
    '  PORT: must be a whole number from 0 to 65535',
  ]);
  expect(existsSync(dataDir)).toBe(false);
});

describe('a secret from a file', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it.each(['', '\n', '\r\n'])('is its text without a line break at the end: %j', (end) => {
    const env = {
      DATABASE_URL: DATABASE.DATABASE_URL,
      KEY_ENCRYPTION_KEY_FILE: file('key', `${KEY.toString('hex')}${end}`),
    };
    expect(readConfig(env).keyEncryptionKey?.export()).toEqual(KEY);
  });

  it('can be each of the settings that hold secrets, and is judged like the variable', () => {
    expect(SECRETS).toContain('DATABASE_URL');
    for (const name of SECRETS) {
      const fault = problems({ ...PRODUCTION_ENV, [name]: '', [`${name}_FILE`]: file(name, 'no\u0000good') });
      expect(fault).toContainEqual(expect.stringMatching(new RegExp(`^ {2}${name}: `)));
    }
  });

  it('and the variable itself exclude each other, even where both say the same', () => {
    const both = { ...DATABASE, DATABASE_URL_FILE: file('url', DATABASE.DATABASE_URL) };
    expect(problems(both)).toEqual(['  DATABASE_URL_FILE: must not be set together with DATABASE_URL']);
  });

  it('that is missing, empty or no file is reported once, by its variable', () => {
    const problemsOf = (path: string) =>
      problems({ KEY_ENCRYPTION_KEY_FILE: path, DATABASE_URL: DATABASE.DATABASE_URL });
    const missing = join(folder, 'missing');
    expect(problemsOf(missing)).toEqual([`  KEY_ENCRYPTION_KEY_FILE: the file ${missing} can't be read (ENOENT)`]);
    expect(problemsOf(folder)).toEqual([`  KEY_ENCRYPTION_KEY_FILE: the file ${folder} can't be read (EISDIR)`]);
    const empty = file('empty', '\n');
    expect(problemsOf(empty)).toEqual([`  KEY_ENCRYPTION_KEY_FILE: the file ${empty} is empty`]);
  });

  it('is for secrets only: other settings have no such variable', () => {
    expect(problems({ ACCESS_TOKEN_TTL_FILE: '/etc/ttl' })).toEqual([
      '  ACCESS_TOKEN_TTL_FILE: unknown variable (see docs/configuration.md)',
    ]);
  });
});
