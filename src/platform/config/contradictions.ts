import { tlsFault } from '../database/database-url.ts';
import type { Config } from './config.ts';
import { type Surface, usesChains } from './values.ts';
import type { Environment } from './variables.ts';

/** The problems of values that contradict each other. */
export function contradictions(
  config: Config,
  { TRUSTED_PROXIES, EMBEDDED_DATABASE, LOCALNET, PARTNERS_URL, DOCS_URL }: Environment,
): string[] {
  const { production, surfaces, chains } = config;
  const urls = {
    AUTH_URL: config.authUrl,
    API_URL: config.apiUrl,
    LOGIN_URL: config.loginUrl,
    ADMIN_URL: config.adminUrl,
    // otherwise they follow from AUTH_URL
    ...(PARTNERS_URL !== undefined && { PARTNERS_URL }),
    ...(DOCS_URL !== undefined && { DOCS_URL }),
  };
  const withoutTls = production && config.databaseUrl !== undefined ? tlsFault(config.databaseUrl) : undefined;
  const rules: [broken: boolean, problem: string][] = [
    [withoutTls !== undefined, `DATABASE_URL: ${withoutTls}`],
    [
      production && config.databaseUrl === undefined && !EMBEDDED_DATABASE,
      'DATABASE_URL: required when NODE_ENV is production (EMBEDDED_DATABASE=true runs the embedded PostgreSQL, for one machine and a trial)',
    ],
    [
      config.databaseUrl !== undefined && config.keyEncryptionKey === undefined,
      'KEY_ENCRYPTION_KEY: required with DATABASE_URL (every process on one database needs the same key)',
    ],
    [
      config.keyEncryptionKeyFallback !== undefined && config.keyEncryptionKey === undefined,
      'KEY_ENCRYPTION_KEY_FALLBACK: is of no use without KEY_ENCRYPTION_KEY',
    ],
    [
      config.keyEncryptionKey !== undefined &&
        config.keyEncryptionKeyFallback?.equals(config.keyEncryptionKey) === true,
      'KEY_ENCRYPTION_KEY_FALLBACK: must be another key than KEY_ENCRYPTION_KEY',
    ],
    [
      config.workers > 1 && config.databaseUrl === undefined,
      'WORKERS: more than 1 needs DATABASE_URL (the embedded PostgreSQL belongs to one process)',
    ],
    [
      config.workers > 1 && config.localnet && usesChains(surfaces),
      'WORKERS: more than 1 needs SANDBOX_RPC_URL or LOCALNET=false (the local Solana network ends with the process that runs it)',
    ],
    [
      LOCALNET === true && chains.sandbox.rpcUrl !== undefined,
      'LOCALNET: has no effect with SANDBOX_RPC_URL, which is the cluster of the sandbox',
    ],
    [
      config.custody.provider === 'aws-kms' && config.custody.kmsKeyArn === undefined,
      'CUSTODY_KMS_KEY_ARN: required when CUSTODY_PROVIDER is aws-kms',
    ],
    [
      chains.production.rpcUrl !== undefined && chains.production.programId === undefined,
      'PRODUCTION_PROGRAM_ID: required with PRODUCTION_RPC_URL',
    ],
    ...Object.entries(urls).map(([name, url]): [boolean, string] => [
      production && !url.startsWith('https://'),
      `${name}: must be https when NODE_ENV is production`,
    ]),
    [
      production && surfaces.has('admin') && !config.staffProvider?.issuer.startsWith('https://'),
      'STAFF_OIDC_ISSUER: an https issuer is required when NODE_ENV is production and the admin surface is on (one-time links are for development; to run without the console, set SURFACES)',
    ],
    [
      production && surfaces.has('login') && config.verification.provider === 'log',
      'TWILIO_ACCOUNT_SID: required when NODE_ENV is production and the login surface is on (codes on the inbox page are for development)',
    ],
    [
      production && surfaces.has('partners') && config.smtp === undefined,
      'SMTP_URL: required when NODE_ENV is production and the partners surface is on (its members get their sign-in links by e-mail; to run without the partner workspace, set SURFACES)',
    ],
    [
      // limits per address protect real fans and money on these surfaces
      production &&
        ['auth', 'login', 'partners'].some((name) => surfaces.has(name as Surface)) &&
        TRUSTED_PROXIES === undefined,
      'TRUSTED_PROXIES: required when NODE_ENV is production and the auth, login or partners surface is on: the number of reverse proxies in front of this service, or 0. With a wrong number, limits per address count the wrong addresses',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, problem]) => problem);
}
