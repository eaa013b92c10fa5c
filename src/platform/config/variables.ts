import { CLUSTER_DELAYS } from '@fan-api/solana-wire/local-network';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { z } from 'zod';
import {
  baseUrl,
  colour,
  countries,
  databaseUrl,
  keyEncryptionKey,
  kmsKeyArn,
  linkUrl,
  mailFrom,
  operatorName,
  port,
  publicRpcUrl,
  roleGroups,
  rpcUrl,
  SURFACES,
  smtpUrl,
  solanaAddress,
  surfaces,
  twilioSecret,
  twilioSid,
  wholeNumber,
} from './values.ts';

/** Every environment variable of the service, and its default. The table in README.md says what each means. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  EMBEDDED_DATABASE: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  DATABASE_POOL: wholeNumber(2, 200).default(10),
  MIGRATE_ON_START: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  AUTH_URL: baseUrl.optional(),
  API_URL: baseUrl.optional(),
  LOGIN_URL: baseUrl.optional(),
  ADMIN_URL: baseUrl.optional(),
  DOCS_URL: baseUrl.optional(),
  PARTNERS_URL: baseUrl.optional(),
  SURFACES: surfaces.default([...SURFACES]),
  LOCALNET: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  LOCALNET_PORT: port.default(8899),
  LOCALNET_HOST: z.string().min(1).default('127.0.0.1'),
  LOCALNET_CONFIRMED_AFTER: wholeNumber(0, 1_000).default(CLUSTER_DELAYS.confirmed),
  LOCALNET_FINALIZED_AFTER: wholeNumber(0, 1_000).default(CLUSTER_DELAYS.finalized),
  SANDBOX_RPC_URL: rpcUrl.optional(),
  SANDBOX_PUBLIC_RPC_URL: publicRpcUrl.optional(),
  SANDBOX_PROGRAM_ID: solanaAddress.default(LOCAL_PROGRAM_ID),
  SANDBOX_GENESIS_HASH: solanaAddress.optional(),
  PRODUCTION_RPC_URL: rpcUrl.optional(),
  PRODUCTION_PROGRAM_ID: solanaAddress.optional(),
  PRODUCTION_GENESIS_HASH: solanaAddress.optional(),
  ISSUE_RATE: wholeNumber(1, 100_000).default(100),
  ISSUE_IN_FLIGHT: wholeNumber(1, 200).default(16),
  ISSUE_DAILY_BUDGET: wholeNumber(0, 999_999_999_999_999).default(100_000_000_000),
  ISSUE_PRIORITY_FLOOR: wholeNumber(0, 100_000_000).default(0),
  ISSUE_PRIORITY_CAP: wholeNumber(0, 100_000_000).default(100_000),
  ISSUE_LOW_PERMITS: wholeNumber(0, 1_000_000_000).default(1_000),
  NOTIFICATION_RATE: wholeNumber(1, 10_000).default(100),
  NOTIFICATION_LOOPBACK: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  METRICS_PORT: port.default(9464),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  KEEP_ALIVE_TIMEOUT: wholeNumber(1, 3600).default(65),
  KEY_ENCRYPTION_KEY: keyEncryptionKey.optional(),
  KEY_ENCRYPTION_KEY_FALLBACK: keyEncryptionKey.optional(),
  CUSTODY_PROVIDER: z.enum(['database', 'aws-kms']).default('database'),
  CUSTODY_KMS_KEY_ARN: kmsKeyArn.optional(),
  PASSKEY_SIGN_IN: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  RECYCLED_NUMBER_DAYS: wholeNumber(1, 3650).default(365),
  ACCESS_TOKEN_TTL: wholeNumber(10, 3600).default(60),
  REFRESH_TOKEN_TTL: wholeNumber(60, 31_536_000).default(2_592_000),
  API_AUDIENCE: z.string().min(1).max(200).default('svc-api'),
  FAN_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(6000),
  TOKEN_FAILURE_LIMIT: wholeNumber(1, 1_000_000_000).default(600),
  SHARED_LIMITS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  TRUSTED_PROXIES: wholeNumber(0, 10).optional(),
  VERIFICATION_PROVIDER: z.enum(['log', 'twilio']).default('log'),
  VERIFICATION_COUNTRIES: countries.optional(),
  VERIFICATION_PHONE_LIMIT: wholeNumber(1, 1_000_000).default(5),
  VERIFICATION_RANGE_LIMIT: wholeNumber(1, 1_000_000).default(100),
  VERIFICATION_ADDRESS_LIMIT: wholeNumber(1, 1_000_000).default(1000),
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
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  STAFF_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((text) => !/[?#]/.test(text), { error: 'must not have a query or fragment' })
    .optional(),
  STAFF_OIDC_CLIENT_ID: z.string().min(1).max(300).optional(),
  STAFF_OIDC_CLIENT_SECRET: z.string().min(1).max(1000).optional(),
  STAFF_OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default('groups'),
  STAFF_ROLE_GROUPS: roleGroups.optional(),
  OPERATOR_NAME: operatorName.optional(),
  OPERATOR_LOGO: z.string().min(1).optional(),
  OPERATOR_COLOR: colour.optional(),
  OPERATOR_PRIVACY_URL: linkUrl.optional(),
  OPERATOR_TERMS_URL: linkUrl.optional(),
  OPERATOR_HELP_URL: linkUrl.optional(),
  WORKERS: wholeNumber(1, 64).default(1),
  SHUTDOWN_TIMEOUT: wholeNumber(1, 600).default(25),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Environment = z.output<typeof Environment>;

/** Unknown variables with these prefixes are refused: a misspelled name would otherwise be ignored. */
export const OWN_PREFIXES =
  /^(ACCESS_TOKEN_|REFRESH_TOKEN_|RECYCLED_|PASSKEY_|API_AUDIENCE|API_URL|AUTH_URL|LOGIN_URL|ADMIN_URL|PARTNERS_URL|SMTP_|MAIL_FROM|LOCALNET_|METRICS_|KEEP_ALIVE_|KEY_ENCRYPTION_|CUSTODY_|FAN_RATE_|TOKEN_FAILURE_|DATABASE_POOL|MIGRATE_|SURFACES|SANDBOX_|PRODUCTION_|ISSUE_|NOTIFICATION_|VERIFICATION_|TWILIO_|STAFF_|OPERATOR_|SHUTDOWN_|EMBEDDED_|WORKERS|SHARED_)/;
