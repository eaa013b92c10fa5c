import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';
import type { Mode } from '../entities/mode.ts';
import type { StaffRole } from '../entities/staff.ts';
import type { CodeLimits } from './code-limits.ts';
import type { Surface } from './values.ts';
import { Environment, OWN_BEGINNINGS } from './variables.ts';

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
  /** Interface that the local network listens on. */
  localnetHost: string;
  /** How many slots its commitments take. */
  localnetDelays: CommitmentDelays;
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
 * Reads the configuration from environment variables. Every variable is named in `config/` and here, and nowhere else.
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
    localnetHost: values.LOCALNET_HOST,
    localnetDelays: { confirmed: values.LOCALNET_CONFIRMED_AFTER, finalized: values.LOCALNET_FINALIZED_AFTER },
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
function readVerification(values: Environment, problems: string[]): VerificationConfig {
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

function readStaffProvider(values: Environment, problems: string[]): StaffProviderConfig | undefined {
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
  if (config.localnetDelays.confirmed > config.localnetDelays.finalized) {
    problems.push('LOCALNET_CONFIRMED_AFTER: must not be more than LOCALNET_FINALIZED_AFTER');
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
