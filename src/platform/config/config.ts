import { CLUSTER_DELAYS } from '@fan-api/solana-wire/local-network';
import type { Mode } from '../mode.ts';
import type { StaffRole } from '../staff-role.ts';
import { DAY } from '../time.ts';
import { readOperator } from './operator.ts';
import type { Surface } from './values.ts';
import { type Environment, USUAL_CLOSE_AFTER } from './variables.ts';

export interface TwilioConfig {
  accountSid: string;
  /** SID of an API key, which can be revoked alone, unlike the account's auth token. */
  username: string;
  /** The secret of the API key. */
  password: string;
  /** The Verify service. */
  serviceSid: string;
  /** A second Verify service, used when the first can't send codes. */
  fallbackServiceSid: string | undefined;
}

/** The provider of codes; `log` is for development and sends none. */
export type VerificationConfig = { provider: 'log' } | ({ provider: 'twilio' } & TwilioConfig);

/** How e-mail is sent. */
export interface SmtpConfig {
  url: string;
  /** The sender. */
  from: string;
}

/** The company's OIDC provider, through which staff sign in. */
export interface StaffProviderConfig {
  /** As its discovery document names it. */
  issuer: string;
  clientId: string;
  /** Undefined: we are a public client there. */
  clientSecret: string | undefined;
  /** The claim of the ID token or userinfo that lists a person's groups. */
  groupsClaim: string;
  /** The groups that give each role; the highest role wins. */
  roleGroups: Record<StaffRole, string[]>;
}

/** The configuration of a process: read once at start, never changed. Lifetimes are in seconds. */
export type Config = ReturnType<typeof toConfig>;
/** Limits on the sending of codes by SMS. */
export type CodeLimits = Config['codeLimits'];
/** How permits are issued and closed. */
export type IssuingConfig = Config['issuing'];

/** @param formerSettings that the environment still has */
export function toConfig(values: Environment, formerSettings: readonly string[], problems: string[]) {
  const origin = `http://localhost:${values.PORT}`;
  const authUrl = values.AUTH_URL ?? origin;
  return {
    production: values.NODE_ENV === 'production',
    port: values.PORT,
    /** Interface to listen on; undefined means all. */
    host: values.HOST,
    dataDir: values.DATA_DIR,
    /** Undefined: the process starts its own PostgreSQL in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    requestLog: {
      /** Days for which it is kept. */
      days: values.REQUEST_LOG_DAYS,
      /** The share of successes that it has. */
      successes: values.REQUEST_LOG_SUCCESSES,
    },
    /** In production a command migrates the database once per release, before the processes start. */
    migrateOnStart: values.MIGRATE_ON_START ?? !(values.NODE_ENV === 'production' && values.DATABASE_URL !== undefined),
    /** The issuer. */
    authUrl,
    apiUrl: values.API_URL ?? `${origin}/fan`,
    loginUrl: values.LOGIN_URL ?? `${origin}/login`,
    /** The partner workspace, on the issuer's host by default. */
    partnersUrl: values.PARTNERS_URL ?? `${new URL(authUrl).origin}/partners`,
    adminUrl: values.ADMIN_URL ?? `${origin}/admin`,
    /** Documentation for partners. */
    docsUrl: values.DOCS_URL ?? `${new URL(authUrl).origin}/docs`,
    surfaces: new Set(values.SURFACES),
    knownSurfaces: readKnownSurfaces(values),
    /** Whether the sandbox's cluster is a local network of this process. */
    localnet: values.SANDBOX_RPC_URL === undefined && (values.LOCALNET ?? values.NODE_ENV !== 'production'),
    localnetPort: values.LOCALNET_PORT,
    /** Slots until `confirmed` and `finalized`, as on a real cluster, so that clients see the same delays. */
    localnetDelays: CLUSTER_DELAYS,
    chains: readChains(values),
    /** How permits are issued and closed. The limits are per mode. */
    issuing: {
      /** Whether permits are issued once an app may list the ticket; otherwise at its import. */
      onDemand: values.ISSUE_WHEN === 'demand',
      /** Permits per second, on average over a few seconds. */
      rate: values.ISSUE_RATE,
      /** Transactions under way. One is final after some 13 s, so they carry more than the usual rate. */
      inFlight: 16,
      /** Lamports per day (UTC) for rent and fees. */
      dailyBudget: values.ISSUE_DAILY_BUDGET,
      /** The most micro-lamports per compute unit. Below it, the price follows recent fees of other transactions. */
      priorityCap: 100_000,
      /** Seconds after the end of an event until its accounts are closed; 0: never. */
      closeAfter: values.EVENT_CLOSE_AFTER * DAY,
      /** Seconds after the end of an event from which on the program lets them be closed, even where the service never does. */
      closableAfter: (values.EVENT_CLOSE_AFTER || USUAL_CLOSE_AFTER) * DAY,
      /** The payer counts as low below this many permits. The alert uses the same number. */
      lowPermits: 1_000,
    },
    notifications: {
      /** Notifications per second and process: they share the event loop with its requests. */
      rate: 100,
      /** Whether endpoints may be on loopback addresses, by http and on any port: in production partners could call this service. */
      loopback: values.NODE_ENV !== 'production',
    },
    metricsPort: values.METRICS_PORT,
    /** Interface of the metrics. */
    metricsHost: values.METRICS_HOST,
    /**
     * Seconds that an idle connection stays open. A proxy must close its idle connections first, otherwise calls fail at random with
     * 502: AWS ALB and nginx do so after 60 s, Google Cloud after 600, Envoy after 3,600.
     */
    keepAliveTimeout: values.TRUSTED_PROXIES ? 3_700 : 65,
    /** Undefined only with the embedded database, which keeps a key in `dataDir`. */
    keyEncryptionKey: values.KEY_ENCRYPTION_KEY,
    /** Only decrypts: the old key during a rotation, or the new key before it (`keys/seal.ts`). */
    keyEncryptionKeyFallback: values.KEY_ENCRYPTION_KEY_FALLBACK,
    /** The vault that encrypts wallet keys. With `database`, a KMS key only decrypts (`keys/vault.ts`). */
    custody: { provider: values.CUSTODY_PROVIDER, kmsKeyArn: values.CUSTODY_KMS_KEY_ARN },
    /** Whether a passkey alone signs a fan in to an app, in place of the phone. */
    passkeySignIn: values.PASSKEY_SIGN_IN,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    refreshTokenTtl: values.REFRESH_TOKEN_TTL,
    /** Fan API calls per minute and grant. */
    fanRateLimit: values.FAN_RATE_LIMIT,
    /** Refused token requests per minute and address. Valid requests beyond it are served, so it is no setting. */
    tokenFailureLimit: 600,
    /** Number of reverse proxies in front: that many entries of `X-Forwarded-For` are trusted. */
    trustedProxies: values.TRUSTED_PROXIES ?? 0,
    /** Milliseconds for which a call looks for its own work after the database's answer was lost (D-226). */
    lookForWorkMs: 3_000,
    /** Milliseconds until every process has read what is armed for a sandbox client (`simulated-clients.ts`). */
    simulationSpreadMs: 1_100,
    verification: readVerification(values, problems),
    codeLimits: {
      /** Codes per number and hour; twice as many per day. A fan whose SMS are late needs no more. */
      perPhone: 5,
      /** Codes per range of 10,000 numbers and hour. This limit and the next two count only codes that were not entered. */
      perRange: values.VERIFICATION_RANGE_LIMIT,
      /** Per hour and IPv4 address or IPv6 /64; requests that sent no code count too. */
      perAddress: values.VERIFICATION_ADDRESS_LIMIT,
      /** Per client and hour. */
      perClient: values.VERIFICATION_CLIENT_LIMIT,
      /** All codes of a day (UTC). */
      perDay: values.VERIFICATION_DAILY_BUDGET,
      /** ISO 3166-1 alpha-2 of the countries that get codes; undefined: all. */
      countries: values.VERIFICATION_COUNTRIES && new Set<string>(values.VERIFICATION_COUNTRIES),
      /** Codes to a country within the window from which on the breaker judges it: fewer prove nothing. */
      breakerSample: 50,
      /** The breaker opens when fewer codes than this percentage were entered; 0: never. Even a sale stays well above it. */
      breakerPercent: 20,
    },
    /** Undefined: e-mails go to the inbox page, in development only. */
    smtp: readSmtp(values, problems),
    /** Undefined: staff sign in by one-time links, which the process prints. */
    staffProvider: readStaffProvider(values, problems),
    /** The company that runs the service. */
    operator: readOperator(values, problems),
    /** Processes on this port; with more than one, the process that was started only supervises them. */
    workers: values.WORKERS,
    /** Seconds from SIGTERM until the process ends, even with work left. */
    shutdownTimeout: values.SHUTDOWN_TIMEOUT,
    logLevel: values.LOG_LEVEL,
    formerSettings,
  };
}

/** The Solana cluster of a mode. */
interface ChainConfig {
  /** Undefined: none, or in sandbox the local network of this process (`localnet`). */
  rpcUrl: string | undefined;
  /** The node address that partners see: `rpcUrl` may contain an API key. */
  publicRpcUrl: string | undefined;
  programId: string | undefined;
}

/** The cluster of each mode, as the environment names it. */
function readChains(values: Environment): Record<Mode, ChainConfig> {
  return {
    sandbox: {
      rpcUrl: values.SANDBOX_RPC_URL,
      publicRpcUrl: values.SANDBOX_PUBLIC_RPC_URL,
      programId: values.SANDBOX_PROGRAM_ID,
    },
    production: {
      rpcUrl: values.PRODUCTION_RPC_URL,
      publicRpcUrl: undefined,
      programId: values.PRODUCTION_PROGRAM_ID,
    },
  };
}

/** The surfaces that pages of this process may link to: its own, and those with an address in the environment. */
function readKnownSurfaces(values: Environment): Set<Surface> {
  const addresses = {
    auth: values.AUTH_URL,
    fan: values.API_URL,
    login: values.LOGIN_URL,
    admin: values.ADMIN_URL,
    partners: values.PARTNERS_URL,
    docs: values.DOCS_URL,
  };
  const addressed = (['auth', 'fan', 'login', 'admin', 'partners', 'docs'] as const).filter(
    (name) => addresses[name] !== undefined,
  );
  return new Set([...values.SURFACES, ...addressed]);
}

function readVerification(values: Environment, problems: string[]): VerificationConfig {
  if (!Object.keys(values).some((name) => name.startsWith('TWILIO_'))) return { provider: 'log' };
  const required = (name: keyof typeof values & `TWILIO_${string}`) => {
    if (values[name] === undefined) problems.push(`${name}: required with the other settings of Twilio`);
    return values[name] ?? '';
  };
  const serviceSid = required('TWILIO_VERIFY_SERVICE_SID');
  const fallbackServiceSid = values.TWILIO_FALLBACK_SERVICE_SID;
  if (fallbackServiceSid !== undefined && fallbackServiceSid === serviceSid) {
    problems.push('TWILIO_FALLBACK_SERVICE_SID: must not be the service of TWILIO_VERIFY_SERVICE_SID');
  }
  return {
    provider: 'twilio',
    accountSid: required('TWILIO_ACCOUNT_SID'),
    username: required('TWILIO_API_KEY_SID'),
    password: required('TWILIO_API_KEY_SECRET'),
    serviceSid,
    fallbackServiceSid,
  };
}

function readSmtp({ SMTP_URL: url, MAIL_FROM: from }: Environment, problems: string[]): SmtpConfig | undefined {
  if (url === undefined) {
    if (from !== undefined) problems.push('MAIL_FROM: has no effect without SMTP_URL');
    return undefined;
  }
  if (from === undefined) problems.push('MAIL_FROM: required with SMTP_URL');
  return { url, from: from ?? '' };
}

function readStaffProvider(values: Environment, problems: string[]): StaffProviderConfig | undefined {
  const { STAFF_OIDC_ISSUER: issuer, STAFF_OIDC_CLIENT_ID: clientId, STAFF_ROLE_GROUPS: groups } = values;
  if (issuer === undefined) {
    for (const name of ['STAFF_OIDC_CLIENT_ID', 'STAFF_OIDC_CLIENT_SECRET', 'STAFF_ROLE_GROUPS'] as const) {
      if (values[name] !== undefined) problems.push(`${name}: has no effect without STAFF_OIDC_ISSUER`);
    }
    return undefined;
  }
  if (clientId === undefined) problems.push('STAFF_OIDC_CLIENT_ID: required with STAFF_OIDC_ISSUER');
  if (groups === undefined) {
    problems.push('STAFF_ROLE_GROUPS: required with STAFF_OIDC_ISSUER (only people in a mapped group can sign in)');
  }
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: values.STAFF_OIDC_CLIENT_SECRET,
    groupsClaim: values.STAFF_OIDC_GROUPS_CLAIM,
    roleGroups: groups ?? { support: [], reviewer: [], admin: [] },
  };
}
