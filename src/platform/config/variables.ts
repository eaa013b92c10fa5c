import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { z } from 'zod';
import {
  baseUrl,
  colour,
  countries,
  databaseUrl,
  flag,
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
  share,
  smtpUrl,
  solanaAddress,
  surfaces,
  twilioSecret,
  twilioSid,
  wholeNumber,
} from './values.ts';

/** Days from the end of an event until its accounts are closed. */
export const USUAL_CLOSE_AFTER = 30;

/**
 * A setting with its description. `npm run generate` writes them into docs/configuration.md.
 * @param unset the default in words, where the schema has none
 */
function setting<T extends z.ZodType>(value: T, description: string, unset?: string): T {
  return value.meta({ description, unset });
}

/** A setting that holds a secret: `<name>_FILE` may name a file with its value, as systemd, Kubernetes and Docker mount secrets. */
function secret<T extends z.ZodType>(value: T, description: string, unset?: string): T {
  return setting(value, description, unset).meta({ secret: true });
}

const text = (most: number) => z.string().min(1).max(most);

/** Every environment variable of the service: its values, its default and its meaning. */
export const Environment = z.object({
  NODE_ENV: setting(
    z.enum(['development', 'test', 'production']).default('development'),
    '`production` demands https addresses and codes by SMS, makes no starter kit, serves no playground and sends no events to loopback addresses. Also: `test`',
  ),
  PORT: setting(port.default(3000), 'port of all surfaces'),
  HOST: setting(z.string().min(1).optional(), 'interface to listen on', 'all interfaces'),
  DATA_DIR: setting(
    z.string().min(1).default('.data'),
    'folder for the embedded PostgreSQL, its keys, the local network and `starter-kit.json`',
  ),
  DATABASE_URL: secret(
    databaseUrl.optional(),
    'your PostgreSQL, 15 or newer, with libpq’s parameters: `sslmode` (`disable`, `require`, `verify-ca`, `verify-full`), `sslrootcert`, `sslcert`, `sslkey`, `application_name` (how the names of connections begin, such as `fan-api requests host/2`), `options`, `service`, or a folder as `host` for a unix socket. In production a server elsewhere needs an `sslmode`. Without it an embedded one runs in `DATA_DIR`, in production only with `EMBEDDED_DATABASE=true`',
  ),
  EMBEDDED_DATABASE: setting(flag.default(false), 'whether production may run the embedded PostgreSQL'),
  DATABASE_POOL: setting(
    wholeNumber(2, 200).default(10),
    'connections of this process, 2 to 200; the job queue uses 2 more',
  ),
  REQUEST_LOG_DAYS: setting(
    wholeNumber(1, 100).default(30),
    'days for which the request log is kept, 1 to 100, at some 400 bytes per request',
  ),
  REQUEST_LOG_SUCCESSES: setting(
    share.default(1),
    'the share of successful requests that the request log keeps: with `0.01` one in a hundred, every failure, and what decides about a lost answer. Counts and charts stay exact; lists and timelines then lack requests',
  ),
  MIGRATE_ON_START: setting(
    flag.optional(),
    'whether a start may migrate the database. Otherwise the start refuses a schema that is too old: run `npm run migrate` first',
    '`true`; `false` in production with `DATABASE_URL`',
  ),
  KEY_ENCRYPTION_KEY: secret(
    keyEncryptionKey.optional(),
    '32 bytes (`openssl rand -hex 32`) that encrypt private keys at rest; required with `DATABASE_URL`, the same in every process',
    'generated and kept in `DATA_DIR`',
  ),
  KEY_ENCRYPTION_KEY_FALLBACK: secret(
    keyEncryptionKey.optional(),
    'a second key that only decrypts, used during a rotation (see [keys](runbook/keys.md))',
  ),
  CUSTODY_PROVIDER: setting(
    z.enum(['database', 'aws-kms']).default('database'),
    'what encrypts the keys of wallets, authorities and payers: `database` (`KEY_ENCRYPTION_KEY`) or `aws-kms` (a data key per wallet, encrypted by AWS KMS)',
  ),
  CUSTODY_KMS_KEY_ARN: setting(
    kmsKeyArn.optional(),
    'required with `aws-kms`: the ARN of a symmetric KMS key. With `database` it only decrypts. Credentials and the endpoint come from the variables and files of the AWS SDK',
  ),
  AUTH_URL: setting(baseUrl.optional(), 'address of the authorization server; the issuer', '`{origin}`'),
  API_URL: setting(baseUrl.optional(), 'address of the Fan API', '`{origin}/fan`'),
  LOGIN_URL: setting(baseUrl.optional(), 'address of the login pages; may be another host', '`{origin}/login`'),
  ADMIN_URL: setting(baseUrl.optional(), 'address of the admin console', '`{origin}/admin`'),
  PARTNERS_URL: setting(
    baseUrl.optional(),
    'address of the partner workspace',
    '`/partners` on the host of `AUTH_URL`',
  ),
  DOCS_URL: setting(
    baseUrl.optional(),
    'address of the documentation for partners; error answers link there. Set it in processes that do not serve it',
    '`/docs` on the host of `AUTH_URL`',
  ),
  SURFACES: setting(surfaces.default([...SURFACES]), `surfaces to serve: some of \`${SURFACES.join()}\``, 'all'),
  SANDBOX_RPC_URL: secret(
    rpcUrl.optional(),
    'Solana RPC for sandbox clients; without it a local network runs in the process (`LOCALNET`), or the sandbox lists and sells nothing. It never leaves the service',
  ),
  SANDBOX_PUBLIC_RPC_URL: setting(
    publicRpcUrl.optional(),
    'the RPC address that partners see (`/clusters.json`, starter kits, playground, workspace). A user name, a query or a part that looks like a key is refused',
    'none; the local network’s address in development',
  ),
  SANDBOX_PROGRAM_ID: setting(
    solanaAddress.default(LOCAL_PROGRAM_ID),
    'address of the ticket program there. The keys of the local program and its admin are public, so the start refuses them on any other cluster than a local network',
    'the local program',
  ),
  PRODUCTION_RPC_URL: secret(rpcUrl.optional(), 'Solana RPC for production clients. It never leaves the service'),
  PRODUCTION_PROGRAM_ID: setting(
    solanaAddress.optional(),
    'address of the ticket program there; required with `PRODUCTION_RPC_URL`',
  ),
  LOCALNET: setting(
    flag.optional(),
    'whether a local Solana network runs in the process as the sandbox’s cluster, where `SANDBOX_RPC_URL` is not set',
    '`true`; `false` in production',
  ),
  LOCALNET_PORT: setting(port.default(8899), 'RPC port of the local network; its WebSocket is on the next port'),
  ISSUE_WHEN: setting(
    z.enum(['demand', 'import']).default('demand'),
    'when the permit of a ticket is issued onchain, which locks its rent until the event is closed: once an app may list the ticket (`demand`), or at its import. What waits in the queue stays in it',
  ),
  ISSUE_RATE: setting(
    wholeNumber(1, 100_000).default(100),
    'permits issued or closed per second in each mode; the others wait',
  ),
  ISSUE_DAILY_BUDGET: setting(
    wholeNumber(0, 999_999_999_999_999).default(100_000_000_000),
    'lamports (100 SOL) that rent and fees of events and permits may cost per day (UTC) and mode; what comes back from closed accounts does not count',
  ),
  EVENT_CLOSE_AFTER: setting(
    wholeNumber(0, 3650).default(USUAL_CLOSE_AFTER),
    'days after its end until the onchain accounts of an event and its permits are closed, and their rent comes back to the payer; `0`: never. An event that is onchain already is closed no sooner than was set when it was registered',
  ),
  METRICS_PORT: setting(
    port.default(9464),
    'port of the Prometheus metrics. Alerts and a dashboard: `deploy/prometheus`, `deploy/grafana`',
  ),
  METRICS_HOST: setting(
    z.string().min(1).default('127.0.0.1'),
    'interface of the metrics. They describe internals: no proxy should lead there',
  ),
  PASSKEY_SIGN_IN: setting(
    flag.default(false),
    'whether a passkey signs fans in to apps in place of the phone number and code. The portal, and the check that a number’s account is the fan’s, always accept passkeys',
  ),
  ACCESS_TOKEN_TTL: setting(wholeNumber(10, 3600).default(60), 'seconds, 10 to 3600'),
  REFRESH_TOKEN_TTL: setting(wholeNumber(60, 31_536_000).default(2_592_000), 'seconds from sign-in, never extended'),
  FAN_RATE_LIMIT: setting(
    wholeNumber(1, 1_000_000_000).default(6000),
    'Fan API calls per minute and grant, counted over all processes once a second',
  ),
  TRUSTED_PROXIES: setting(
    wholeNumber(0, 10).optional(),
    'number of reverse proxies in front, each of which appends to `X-Forwarded-For`. Required in production with the auth, login or partners surface (`0` is allowed). The process must be reachable only through them',
    '`0`; none in production',
  ),
  TWILIO_ACCOUNT_SID: setting(
    twilioSid('AC', 'an account SID').optional(),
    'the Twilio account (`AC…`) that sends the codes of production sign-ins. Required in production with the login surface; without it codes are shown in the log and on the inbox page `{LOGIN_URL}/inbox`',
  ),
  TWILIO_VERIFY_SERVICE_SID: setting(
    twilioSid('VA', 'a Verify service SID').optional(),
    'required with Twilio: the account’s Verify service (`VA…`)',
  ),
  TWILIO_API_KEY_SID: setting(
    twilioSid('SK', 'an API key SID').optional(),
    'required with Twilio: an API key (`SK…`) of the account',
  ),
  TWILIO_API_KEY_SECRET: secret(twilioSecret.optional(), 'required with Twilio: the secret of the API key'),
  TWILIO_FALLBACK_SERVICE_SID: setting(
    twilioSid('VA', 'a Verify service SID').optional(),
    'another Verify service of the account, used while the first one fails',
  ),
  VERIFICATION_COUNTRIES: setting(countries.optional(), 'countries whose numbers get codes, such as `GB,IE,US`', 'all'),
  VERIFICATION_RANGE_LIMIT: setting(
    wholeNumber(1, 1_000_000).default(100),
    'codes per block of 10,000 numbers and hour that were sent and not entered',
  ),
  VERIFICATION_ADDRESS_LIMIT: setting(
    wholeNumber(1, 1_000_000).default(1000),
    'codes per IPv4 address or IPv6 /64 and hour that were asked for and not entered. All phones of a mobile operator or a venue may share one address: the default allows some 4,000 sign-ins an hour',
  ),
  VERIFICATION_CLIENT_LIMIT: setting(
    wholeNumber(1, 1_000_000).default(3000),
    'codes per client and hour that were sent and not entered',
  ),
  VERIFICATION_DAILY_BUDGET: setting(wholeNumber(1, 1_000_000_000).default(10_000), 'codes per day (UTC), in total'),
  SMTP_URL: secret(
    smtpUrl.optional(),
    'how e-mail to the people of partners is sent: `smtps://user:password@host` (TLS, port 465) or `smtp://…` (port 587; STARTTLS, which production requires). Required in production with the partners surface; without it e-mails are shown on the inbox page `{LOGIN_URL}/inbox`',
  ),
  MAIL_FROM: setting(
    mailFrom.optional(),
    'required with `SMTP_URL`: the sender, such as `Example Tickets <tickets@example.com>`',
  ),
  STAFF_OIDC_ISSUER: setting(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .refine((url) => !/[?#]/.test(url), { error: 'must not have a query or fragment' })
      .optional(),
    'the OIDC provider through which staff sign in to the console; its callback is `{ADMIN_URL}/auth/callback`. Required (https) in production with the admin surface; without it the start prints a one-time sign-in link',
  ),
  STAFF_OIDC_CLIENT_ID: setting(text(300).optional(), 'required with an issuer: our client there'),
  STAFF_OIDC_CLIENT_SECRET: secret(
    text(1000).optional(),
    'our client secret, sent by `client_secret_basic` unless the provider offers `client_secret_post` only; without it we are a public client',
  ),
  STAFF_ROLE_GROUPS: setting(
    roleGroups.optional(),
    'required with an issuer: which groups give which role, such as `support=helpdesk,reviewer=ticketing-review,admin=ticketing-admin`. The highest role wins; nobody without such a group gets in',
  ),
  STAFF_OIDC_GROUPS_CLAIM: setting(
    text(200).default('groups'),
    'claim of the ID token or userinfo that lists a person’s groups',
  ),
  OPERATOR_NAME: setting(
    operatorName.optional(),
    'the company’s name at the top of every fan page; up to 60 characters. Without it the pages say "Fan account"',
  ),
  OPERATOR_LOGO: setting(
    z.string().min(1).optional(),
    'path of an image beside it: PNG, JPEG or WebP, at most 32 KiB, each side 32 to 1024 pixels',
  ),
  OPERATOR_COLOR: setting(
    colour.optional(),
    '`#rrggbb`: the color of buttons; links get a shade of it that can be read on light and dark pages',
    'a neutral green',
  ),
  OPERATOR_PRIVACY_URL: setting(linkUrl.optional(), 'https address, linked at the end of every fan page'),
  OPERATOR_TERMS_URL: setting(linkUrl.optional(), 'the same'),
  OPERATOR_HELP_URL: setting(linkUrl.optional(), 'the same'),
  WORKERS: setting(
    wholeNumber(1, 64).default(1),
    'processes on this machine that share `PORT`. More than one needs `DATABASE_URL`, and `SANDBOX_RPC_URL` or no local network; each has a `DATABASE_POOL` of its own',
  ),
  SHUTDOWN_TIMEOUT: setting(
    wholeNumber(1, 600).default(25),
    'seconds after SIGTERM in which calls, jobs and connections may finish; then the process ends and logs what was left. A second signal, a second or more after the first, ends it immediately',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    '`trace`, `debug`, `info`, `warn`, `error` or `silent`; JSON lines on standard output',
  ),
});

export type Environment = z.output<typeof Environment>;

/** Settings of earlier releases. An environment that still has one starts, and the log says that it has no effect. */
export const FORMER_SETTINGS: readonly string[] = [
  'KEEP_ALIVE_TIMEOUT',
  'PRODUCTION_GENESIS_HASH',
  'SANDBOX_GENESIS_HASH',
  'VERIFICATION_PROVIDER',
];

/** The settings that hold secrets. */
export const SECRETS = Object.entries(Environment.shape).flatMap(([name, value]) =>
  value.meta()?.secret === true ? [name] : [],
);

/** Unknown variables with these prefixes are refused: a misspelled name would otherwise be ignored. */
export const OWN_PREFIXES =
  /^(ACCESS_TOKEN_|REFRESH_TOKEN_|PASSKEY_|API_URL|AUTH_URL|LOGIN_URL|ADMIN_URL|PARTNERS_URL|SMTP_|MAIL_FROM|LOCALNET_|METRICS_|KEY_ENCRYPTION_|CUSTODY_|FAN_RATE_|DATABASE_POOL|MIGRATE_|SURFACES|SANDBOX_|PRODUCTION_|ISSUE_|EVENT_CLOSE_|NOTIFICATION_|VERIFICATION_|TWILIO_|STAFF_|OPERATOR_|SHUTDOWN_|EMBEDDED_|REQUEST_LOG_|WORKERS)/;
