import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { CodeLimits } from './abuse/code-limits.ts';
import { LOCAL_PROGRAM_ID } from './chain/program/local-keys.ts';
import type { Mode } from './entities/mode.ts';
import { STAFF_ROLES, type StaffRole } from './entities/staff.ts';

/** The parts of the service that one process can serve. */
export const SURFACES = ['fan', 'auth', 'login', 'admin', 'playground'] as const;
export type Surface = (typeof SURFACES)[number];

const DEFAULT_PORT = 3000;

/** Digits only: `Number` would also take spaces, hexadecimal and exponents. */
const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
};
const port = wholeNumber(0, 65_535);

/** An absolute http(s) URL without query, fragment or trailing slash, so that paths can be appended to it. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .refine((text) => !/[?#]/.test(text), { error: 'must have no query and no fragment' })
  .refine((text) => !text.endsWith('/'), { error: 'must not end in a slash' });

const rpcUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const solanaAddress = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'must be 32 bytes in base58' });

const surfaces = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(SURFACES)).min(1));

/** 32 bytes as `openssl rand -hex 32` or `openssl rand -base64 32` print them, or in base64url. */
const keyEncryptionKey = z.string().transform((text, ctx) => {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32 && /^[\w+/-]+=?$/.test(text)) return key.toString('base64url');
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in hex, base64 or base64url (openssl rand -hex 32)' });
  return z.NEVER;
});

const twilioSid = (beginning: string, what: string) =>
  z.string().regex(new RegExp(`^${beginning}[0-9a-fA-F]{32}$`), {
    error: `must be ${what}: ${beginning} and 32 hexadecimal digits`,
  });
/** A slip of the clipboard would otherwise show only when the first code is sent. */
const twilioSecret = z.string().regex(/^[\w-]{16,200}$/, { error: 'must be 16 or more letters and digits' });

/** `support=helpdesk,reviewer=ticketing-review,admin=ticketing-admin`; a role may have several groups. */
const roleGroups = z.string().transform((text, ctx) => {
  const groups: Record<StaffRole, string[]> = { support: [], reviewer: [], admin: [] };
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const role = STAFF_ROLES.find((name) => name === part.slice(0, at).trim());
    const group = part.slice(at + 1).trim();
    if (role === undefined || group === '') {
      ctx.addIssue({
        code: 'custom',
        message: `must be like support=a,reviewer=b,admin=c, not "${part.slice(0, 60)}"`,
      });
      return z.NEVER;
    }
    groups[role].push(group);
  }
  return groups;
});

/** `GB,IE,US` */
const countries = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((codes) => codes.every((code) => isSupportedCountry(code)), {
    error: 'must be ISO 3166 codes of countries, such as GB,IE,US',
  });

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(DEFAULT_PORT),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
  DATABASE_POOL: wholeNumber(2, 200).default(10),
  AUTH_URL: baseUrl.optional(),
  API_URL: baseUrl.optional(),
  LOGIN_URL: baseUrl.optional(),
  ADMIN_URL: baseUrl.optional(),
  SURFACES: surfaces.default([...SURFACES]),
  LOCALNET_PORT: port.default(8899),
  SANDBOX_RPC_URL: rpcUrl.optional(),
  SANDBOX_PROGRAM_ID: solanaAddress.default(LOCAL_PROGRAM_ID),
  SANDBOX_GENESIS_HASH: solanaAddress.optional(),
  PRODUCTION_RPC_URL: rpcUrl.optional(),
  PRODUCTION_PROGRAM_ID: solanaAddress.optional(),
  PRODUCTION_GENESIS_HASH: solanaAddress.optional(),
  METRICS_PORT: port.default(9464),
  KEY_ENCRYPTION_KEY: keyEncryptionKey.optional(),
  ACCESS_TOKEN_TTL: wholeNumber(10, 3600).default(60),
  REFRESH_TOKEN_TTL: wholeNumber(60, 31_536_000).default(2_592_000),
  API_AUDIENCE: z.string().min(1).max(200).default('svc-api'),
  FAN_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(6000),
  TOKEN_FAILURE_LIMIT: wholeNumber(1, 1_000_000_000).default(600),
  TRUSTED_PROXIES: wholeNumber(0, 10).optional(),
  VERIFICATION_PROVIDER: z.enum(['log', 'twilio']).default('log'),
  VERIFICATION_COUNTRIES: countries.optional(),
  VERIFICATION_PHONE_LIMIT: wholeNumber(1, 1_000_000).default(5),
  VERIFICATION_RANGE_LIMIT: wholeNumber(1, 1_000_000).default(30),
  VERIFICATION_ADDRESS_LIMIT: wholeNumber(1, 1_000_000).default(20),
  VERIFICATION_CLIENT_LIMIT: wholeNumber(1, 1_000_000).default(3000),
  VERIFICATION_DAILY_BUDGET: wholeNumber(1, 1_000_000_000).default(10_000),
  VERIFICATION_BREAKER_SAMPLE: wholeNumber(10, 1_000_000).default(50),
  VERIFICATION_BREAKER_PERCENT: wholeNumber(0, 90).default(20),
  TWILIO_ACCOUNT_SID: twilioSid('AC', 'an account SID').optional(),
  TWILIO_API_KEY_SID: twilioSid('SK', 'an API key SID').optional(),
  TWILIO_API_KEY_SECRET: twilioSecret.optional(),
  TWILIO_AUTH_TOKEN: twilioSecret.optional(),
  TWILIO_VERIFY_SERVICE_SID: twilioSid('VA', 'a Verify service SID').optional(),
  TWILIO_FALLBACK_SERVICE_SID: twilioSid('VA', 'a Verify service SID').optional(),
  STAFF_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((text) => !/[?#]/.test(text), { error: 'must have no query and no fragment' })
    .optional(),
  STAFF_OIDC_CLIENT_ID: z.string().min(1).max(300).optional(),
  STAFF_OIDC_CLIENT_SECRET: z.string().min(1).max(1000).optional(),
  STAFF_OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default('groups'),
  STAFF_ROLE_GROUPS: roleGroups.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** Names of our variables with a typing slip would be ignored in silence; these beginnings are ours alone, so they are refused. */
const OWN_BEGINNINGS =
  /^(ACCESS_TOKEN_|REFRESH_TOKEN_|API_AUDIENCE|API_URL|AUTH_URL|LOGIN_URL|ADMIN_URL|LOCALNET_|METRICS_PORT|KEY_ENCRYPTION_|FAN_RATE_|TOKEN_FAILURE_|DATABASE_POOL|SURFACES|SANDBOX_|PRODUCTION_|VERIFICATION_|TWILIO_|STAFF_)/;

/** Where a mode's cluster is. */
export interface ChainConfig {
  /** Undefined: in sandbox the local network that this process brings up; in production none. */
  rpcUrl: string | undefined;
  programId: string | undefined;
  /** The cluster must have this genesis hash, where one is given. */
  genesisHash: string | undefined;
}

/** An account at Twilio and what of it sends codes. */
export interface TwilioConfig {
  accountSid: string;
  /** SID of an API key, or of the account itself. */
  username: string;
  /** Secret of the API key, or the account's token. */
  password: string;
  /** The Verify service. */
  serviceSid: string;
  /** Another Verify service, asked where the first can't send. */
  fallbackServiceSid: string | undefined;
}

/** Who sends codes to real phones; `log` is for development and sends none. */
export type VerificationConfig = { provider: 'log' } | ({ provider: 'twilio' } & TwilioConfig);

/** The company's OIDC provider, through which staff sign in. */
export interface StaffProviderConfig {
  /** As its discovery document names it. */
  issuer: string;
  clientId: string;
  /** Undefined: we are a public client there. */
  clientSecret: string | undefined;
  /** The ID token's or userinfo's member that lists the groups of a person. */
  groupsClaim: string;
  /** The groups that give each role; the highest role wins. */
  roleGroups: Record<StaffRole, string[]>;
}

/** The configuration of a process: read once at start, never changed. Lifetimes are in seconds. */
export interface Config {
  production: boolean;
  port: number;
  /** Interface to listen on; undefined means all. */
  host: string | undefined;
  dataDir: string;
  /** Undefined: the process brings its own PostgreSQL up in `dataDir`. */
  databaseUrl: string | undefined;
  databasePool: number;
  /** The issuer. */
  authUrl: string;
  apiUrl: string;
  loginUrl: string;
  adminUrl: string;
  surfaces: ReadonlySet<Surface>;
  localnetPort: number;
  /** The Solana cluster of each mode. */
  chains: Record<Mode, ChainConfig>;
  metricsPort: number;
  /** 32 bytes in base64url; undefined only on the embedded default, which makes and keeps one in `dataDir`. */
  keyEncryptionKey: string | undefined;
  accessTokenTtl: number;
  refreshTokenTtl: number;
  apiAudience: string;
  /** Fan API calls per minute and grant, counted per process. */
  fanRateLimit: number;
  /** Refused token requests per minute and address, counted per process. */
  tokenFailureLimit: number;
  /** How many reverse proxies stand in front; their number of `X-Forwarded-For` entries is believed. */
  trustedProxies: number;
  verification: VerificationConfig;
  codeLimits: CodeLimits;
  /** Undefined: staff sign in by one-time links, which the process prints. */
  staffProvider: StaffProviderConfig | undefined;
  logLevel: string;
}

/** What is wrong with the environment, one line per variable. The process prints it and exits with code 1. */
export class ConfigError extends Error {
  constructor(lines: string[]) {
    super(`The configuration can't be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration from environment variables. Every variable is named in this file and nowhere else.
 * @throws ConfigError naming each variable that is unknown, malformed or missing
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const known = new Set(Object.keys(Environment.shape));
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => known.has(name) && value !== ''));
  const unknown = Object.keys(env).filter((name) => OWN_BEGINNINGS.test(name) && !known.has(name));
  const parsed = Environment.safeParse(given);
  const problems = unknown.map((name) => `${name}: unknown variable (see the table in README.md)`);
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`));
    throw new ConfigError(problems);
  }
  const values = parsed.data;
  const origin = `http://localhost:${values.PORT}`;
  const config: Config = {
    production: values.NODE_ENV === 'production',
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    authUrl: values.AUTH_URL ?? origin,
    apiUrl: values.API_URL ?? `${origin}/fan`,
    loginUrl: values.LOGIN_URL ?? `${origin}/login`,
    adminUrl: values.ADMIN_URL ?? `${origin}/admin`,
    surfaces: new Set(values.SURFACES),
    localnetPort: values.LOCALNET_PORT,
    chains: {
      sandbox: {
        rpcUrl: values.SANDBOX_RPC_URL,
        programId: values.SANDBOX_PROGRAM_ID,
        genesisHash: values.SANDBOX_GENESIS_HASH,
      },
      production: {
        rpcUrl: values.PRODUCTION_RPC_URL,
        programId: values.PRODUCTION_PROGRAM_ID,
        genesisHash: values.PRODUCTION_GENESIS_HASH,
      },
    },
    metricsPort: values.METRICS_PORT,
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    refreshTokenTtl: values.REFRESH_TOKEN_TTL,
    apiAudience: values.API_AUDIENCE,
    fanRateLimit: values.FAN_RATE_LIMIT,
    tokenFailureLimit: values.TOKEN_FAILURE_LIMIT,
    trustedProxies: values.TRUSTED_PROXIES ?? 0,
    verification: readVerification(values, problems),
    codeLimits: {
      perPhone: values.VERIFICATION_PHONE_LIMIT,
      perRange: values.VERIFICATION_RANGE_LIMIT,
      perAddress: values.VERIFICATION_ADDRESS_LIMIT,
      perClient: values.VERIFICATION_CLIENT_LIMIT,
      perDay: values.VERIFICATION_DAILY_BUDGET,
      countries: values.VERIFICATION_COUNTRIES && new Set(values.VERIFICATION_COUNTRIES),
      breakerSample: values.VERIFICATION_BREAKER_SAMPLE,
      breakerPercent: values.VERIFICATION_BREAKER_PERCENT,
    },
    staffProvider: readStaffProvider(values, problems),
    logLevel: values.LOG_LEVEL,
  };
  problems.push(...contradictions(config));
  if (values.TRUSTED_PROXIES === undefined && asksForAddresses(config)) {
    problems.push(
      'TRUSTED_PROXIES: required when NODE_ENV is production and the auth or login surface is on: how many reverse proxies stand in front (0 is a number). Limits per address would count the wrong one after a guess',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** An API key is taken before the account's token: it can be revoked by itself. */
function readVerification(values: z.output<typeof Environment>, problems: string[]): VerificationConfig {
  if (values.VERIFICATION_PROVIDER === 'log') return { provider: 'log' };
  const required = (name: keyof typeof values & `TWILIO_${string}`, when: string) => {
    if (values[name] === undefined) problems.push(`${name}: required ${when}`);
    return values[name] ?? '';
  };
  const chosen = 'when VERIFICATION_PROVIDER is twilio';
  const accountSid = required('TWILIO_ACCOUNT_SID', chosen);
  const serviceSid = required('TWILIO_VERIFY_SERVICE_SID', chosen);
  if (values.TWILIO_FALLBACK_SERVICE_SID !== undefined && values.TWILIO_FALLBACK_SERVICE_SID === serviceSid) {
    problems.push('TWILIO_FALLBACK_SERVICE_SID: must be another service than TWILIO_VERIFY_SERVICE_SID');
  }
  const withKey = values.TWILIO_API_KEY_SID !== undefined || values.TWILIO_API_KEY_SECRET !== undefined;
  return {
    provider: 'twilio',
    accountSid,
    username: withKey ? required('TWILIO_API_KEY_SID', 'with TWILIO_API_KEY_SECRET') : accountSid,
    password: withKey
      ? required('TWILIO_API_KEY_SECRET', 'with TWILIO_API_KEY_SID')
      : required('TWILIO_AUTH_TOKEN', `${chosen}, unless there is an API key`),
    serviceSid,
    fallbackServiceSid: values.TWILIO_FALLBACK_SERVICE_SID,
  };
}

function readStaffProvider(values: z.output<typeof Environment>, problems: string[]): StaffProviderConfig | undefined {
  const { STAFF_OIDC_ISSUER: issuer, STAFF_OIDC_CLIENT_ID: clientId, STAFF_ROLE_GROUPS: groups } = values;
  if (issuer === undefined) {
    for (const name of ['STAFF_OIDC_CLIENT_ID', 'STAFF_OIDC_CLIENT_SECRET', 'STAFF_ROLE_GROUPS'] as const) {
      if (values[name] !== undefined) problems.push(`${name}: is of no use without STAFF_OIDC_ISSUER`);
    }
    return undefined;
  }
  if (clientId === undefined) problems.push('STAFF_OIDC_CLIENT_ID: required with STAFF_OIDC_ISSUER');
  if (groups === undefined) {
    problems.push('STAFF_ROLE_GROUPS: required with STAFF_OIDC_ISSUER (nobody without a mapped group may come in)');
  }
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: values.STAFF_OIDC_CLIENT_SECRET,
    groupsClaim: values.STAFF_OIDC_GROUPS_CLAIM,
    roleGroups: groups ?? { support: [], reviewer: [], admin: [] },
  };
}

/** Whether limits per address count, on which real fans and money depend. */
function asksForAddresses({ production, surfaces }: Config): boolean {
  return production && (surfaces.has('auth') || surfaces.has('login'));
}

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.databaseUrl !== undefined && config.keyEncryptionKey === undefined) {
    problems.push(
      'KEY_ENCRYPTION_KEY: required with DATABASE_URL (every process over one database needs the same key)',
    );
  }
  if (config.chains.production.rpcUrl !== undefined && config.chains.production.programId === undefined) {
    problems.push('PRODUCTION_PROGRAM_ID: required with PRODUCTION_RPC_URL');
  }
  if (config.production) {
    for (const [name, url] of [
      ['AUTH_URL', config.authUrl],
      ['API_URL', config.apiUrl],
      ['LOGIN_URL', config.loginUrl],
      ['ADMIN_URL', config.adminUrl],
    ] as const) {
      if (!url.startsWith('https://')) problems.push(`${name}: must be https when NODE_ENV is production`);
    }
    if (config.surfaces.has('admin') && !config.staffProvider?.issuer.startsWith('https://')) {
      problems.push(
        'STAFF_OIDC_ISSUER: an https issuer is required when NODE_ENV is production and the admin surface is on (one-time links are for development; SURFACES leaves the console out)',
      );
    }
    if (config.surfaces.has('login') && config.verification.provider === 'log') {
      problems.push(
        'VERIFICATION_PROVIDER: must be twilio when NODE_ENV is production and the login surface is on (log is a verification provider for development)',
      );
    }
  }
  return problems;
}
