import { readFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { parse as parseIni } from 'ini';
import { parse } from 'pg-connection-string';

/** What `pg` needs to connect: the same for requests, jobs and migrations. */
export interface ConnectionOptions {
  /** A folder with a unix socket begins with `/`. */
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl: false | TlsOptions;
  application_name: string;
  /** Command-line options of the session, such as `-c search_path=fan`. */
  options?: string;
}

/** Parameters of a URL, as libpq names them. Others are refused, so that none is ignored silently. */
const PARAMETERS = new Set([
  'application_name',
  'dbname',
  'host',
  'options',
  'password',
  'port',
  'service',
  'ssl',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'user',
]);
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const PROTOCOLS = ['postgres:', 'postgresql:'];

/**
 * Reads `DATABASE_URL` with the meaning that libpq gives it: `sslmode`, `sslrootcert`, `sslcert` and `sslkey`, `application_name`, a
 * folder as `host` for a unix socket, and `service` of a service file. `ssl=true` means `sslmode=verify-full`.
 * @param env `PGSSLMODE`, `PGSSLROOTCERT`, `PGSERVICEFILE` apply where the URL does not set them
 * @throws Error that names the parameter, never the password
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
 */
export function connectionOptions(databaseUrl: string, env: NodeJS.ProcessEnv = process.env): ConnectionOptions {
  const url = parseUrl(databaseUrl);
  const parameters = parametersOf(url, env);
  const sslMode = readSslMode(parameters);
  const read = readParameters(url, parameters, sslMode);
  // an empty host is the default of libpq: this machine
  const host = read.host || 'localhost';
  const user = read.user || (env.PGUSER ?? userInfo().username);
  return {
    host,
    port: Number(read.port || 5432),
    user,
    database: parameters.dbname ?? read.database ?? user,
    ssl: typeof read.ssl === 'object' ? tlsOptions(read.ssl, host) : false,
    application_name: parameters.application_name ?? 'fan-api',
    ...(read.password && { password: read.password }),
    ...(parameters.options !== undefined && { options: parameters.options }),
  };
}

/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63;

/**
 * As `connectionOptions`, with a name by which PostgreSQL's views tell apart what connections are for, hosts and workers:
 * `fan-api requests host/2`. Jobs run on the connections of requests; those of their own are the queue's.
 */
export function connectionFor(
  use: 'requests' | 'jobs' | 'migration' | 'command',
  databaseUrl: string,
): ConnectionOptions {
  const options = connectionOptions(databaseUrl);
  const beginning = `${options.application_name} ${use} `;
  // of the primary, for each worker (`workers/supervise.ts`)
  const worker = process.env.WORKER_NUMBER === undefined ? '' : `/${process.env.WORKER_NUMBER}`;
  const host = hostname().slice(0, Math.max(0, LONGEST_NAME - beginning.length - worker.length));
  return { ...options, application_name: `${beginning}${host}${worker}` };
}

/**
 * Why a production process refuses `DATABASE_URL`: a connection to another machine needs TLS, or an explicit `sslmode=disable`.
 * @param databaseUrl a URL that `connectionOptions` accepts
 */
export function tlsFault(databaseUrl: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { host, ssl } = connectionOptions(databaseUrl, env);
  if (ssl !== false || isLocal(host) || readSslMode(parametersOf(parseUrl(databaseUrl), env)) === 'disable')
    return undefined;
  return `add sslmode=verify-full (with sslrootcert for a CA of your own), or sslmode=disable if the network to ${host} is safe without TLS`;
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function tlsOptions(ssl: object, host: string): TlsOptions {
  const options: TlsOptions = Object.fromEntries(Object.entries(ssl).filter(([, value]) => value !== null));
  // `pg` passes the host to TLS only where it is no IP address; Node would then expect `localhost` in the certificate
  return { ...options, host };
}

function parseUrl(text: string): URL {
  // a URL of a unix socket has no host, which WHATWG's parser rejects after a user
  const url = URL.parse(text.replace('@/', '@localhost/'));
  if (url === null || !PROTOCOLS.includes(url.protocol))
    throw new Error('must be a URL like postgres://user@host/database');
  return url;
}

/** The URL takes precedence over its service, and both over the environment. */
function parametersOf(url: URL, env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.fromEntries(url.searchParams);
  const service = given.service === undefined ? {} : readService(given.service, env);
  const parameters = { ...fromEnvironment(env), ...service, ...given };
  for (const name of Object.keys(parameters)) {
    if (!PARAMETERS.has(name)) throw new Error(`${name} is not a parameter that this service knows`);
  }
  return parameters;
}

function readSslMode({ ssl, sslmode }: Record<string, string>): string | undefined {
  if (ssl !== undefined && !['true', '1', 'false', '0'].includes(ssl)) throw new Error('ssl must be true or false');
  const mode = sslmode ?? (ssl === undefined ? undefined : ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable');
  if (mode === 'allow' || mode === 'prefer') {
    throw new Error(`sslmode=${mode} lets anybody on the way turn TLS off; use verify-full, or disable`);
  }
  if (mode !== undefined && !SSL_MODES.includes(mode))
    throw new Error(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  return mode;
}

/** The library reads the certificate files and applies the checks of each `sslmode`. */
function readParameters(url: URL, parameters: Record<string, string>, sslMode: string | undefined) {
  const complete = new URL(url);
  for (const name of ['ssl', 'service', 'dbname']) complete.searchParams.delete(name);
  for (const name of ['host', 'port', 'user', 'password', 'sslrootcert', 'sslcert', 'sslkey'] as const) {
    const value = parameters[name];
    if (value !== undefined) complete.searchParams.set(name, value);
  }
  complete.searchParams.set('sslmode', sslMode ?? 'disable');
  // libpq's name for the certificates that the system trusts, which Node uses without a file
  if (complete.searchParams.get('sslrootcert') === 'system') complete.searchParams.delete('sslrootcert');
  try {
    return parse(complete.href, { useLibpqCompat: true });
  } catch (error) {
    if (error instanceof Error && 'path' in error)
      throw new Error(`${String(error.path)} can’t be read (${error.message})`);
    throw error;
  }
}

function fromEnvironment({ PGSSLMODE, PGSSLROOTCERT }: NodeJS.ProcessEnv): Record<string, string> {
  return {
    ...(PGSSLMODE && { sslmode: PGSSLMODE }),
    ...(PGSSLROOTCERT && { sslrootcert: PGSSLROOTCERT }),
  };
}

/** @see https://www.postgresql.org/docs/current/libpq-pgservice.html */
function readService(name: string, { PGSERVICEFILE }: NodeJS.ProcessEnv): Record<string, string> {
  const file = PGSERVICEFILE ?? join(homedir(), '.pg_service.conf');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the service file ${file} can’t be read`, { cause: error });
  }
  const section: unknown = parseIni(text)[name];
  if (typeof section !== 'object' || section === null) throw new Error(`${file} has no service ${name}`);
  return Object.fromEntries(Object.entries(section).map(([key, value]) => [key, String(value)]));
}
