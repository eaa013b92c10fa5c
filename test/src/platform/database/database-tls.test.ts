import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import pg from 'pg';
import { type GenerateResult, generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs } from '../../../../adapters/process/jobs.ts';
import { withAdmin } from '../../../support/database.ts';
import { startApp } from '../../../support/start-app.ts';
import { testFolder } from '../../../support/test-folder.ts';

const folder = await testFolder();
let server: EmbeddedPostgres;

/** A PostgreSQL that takes TLS connections only; its certificate is for 127.0.0.1. */
beforeAll(async () => {
  server = await startEmbeddedPostgres(join(folder, 'data'), { fsync: false });
  const own = await certificate();
  await writeFile(join(folder, 'ca.pem'), own.cert);
  await writeFile(join(folder, 'other.pem'), (await certificate()).cert);
  await withAdmin(server.url, async (admin) => {
    const { rows } = await admin.query<{ hba: string }>("select current_setting('hba_file') as hba");
    const hba = rows[0]?.hba ?? '';
    await writeAsServer(admin, `${hba}.key`, own.private);
    await writeAsServer(admin, `${hba}.crt`, own.cert);
    await writeAsServer(admin, hba, 'hostssl all all 127.0.0.1/32 scram-sha-256');
    await admin.query(`alter system set ssl_key_file = ${pg.escapeLiteral(`${hba}.key`)}`);
    await admin.query(`alter system set ssl_cert_file = ${pg.escapeLiteral(`${hba}.crt`)}`);
    await admin.query('alter system set ssl = on');
    await admin.query('select pg_reload_conf()');
  });
});

afterAll(() => server.stop());

function certificate(): Promise<GenerateResult> {
  return generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
}

/** PostgreSQL wants its key to be its own user's, so the server writes the file itself. */
async function writeAsServer(admin: pg.Client, file: string, text: string): Promise<void> {
  const lines = pg.escapeLiteral(text);
  const command = pg.escapeLiteral(`umask 077; cat > "${file}"`);
  await admin.query(`copy (select string_to_table(${lines}, E'\\n')) to program ${command}`);
}

/** The server with other parameters. @param host as the certificate does not name it, where it is not 127.0.0.1 */
function urlWith(parameters: Record<string, string>, host = '127.0.0.1'): string {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

const trusted = () => ({ sslmode: 'verify-full', sslrootcert: join(folder, 'ca.pem') });

describe('TLS of DATABASE_URL', () => {
  it('holds for requests, migrations and jobs, and the start logs it', async () => {
    const lines: string[] = [];
    const app = await startApp({
      databaseUrl: urlWith(trusted()),
      logTo: { write: (line: string) => void lines.push(line) },
    });
    const jobs = await startJobs(app.runtime, urlWith({ ...trusted(), application_name: 'the jobs' }));
    try {
      const { rows } = await app.runtime.pool.query<{ name: string; ssl: boolean }>(
        `select distinct application_name as name, ssl from pg_stat_ssl join pg_stat_activity using (pid)
          where application_name ~ '^(fan-api requests|the jobs jobs) ' order by 1`,
      );
      expect(rows).toEqual([
        { name: `fan-api requests ${hostname()}`, ssl: true },
        { name: `the jobs jobs ${hostname()}`, ssl: true },
      ]);
    } finally {
      await jobs.stop();
      await app.stop();
    }
    const told = lines.map((line) => JSON.parse(line) as { msg: string; tls?: string });
    expect(told.find(({ msg }) => msg === 'connected to PostgreSQL')?.tls).toMatch(
      /^TLSv1\.[23], .*, certificate verified$/,
    );
  });

  it('without it the server is not reached', async () => {
    await expect(startApp({ databaseUrl: urlWith({}) })).rejects.toThrow(/no encryption/);
  });

  it('a certificate of another CA is refused', async () => {
    const other = urlWith({ sslmode: 'verify-full', sslrootcert: join(folder, 'other.pem') });
    await expect(startApp({ databaseUrl: other })).rejects.toThrow(/self-signed|certificate/);
  });

  it('verify-full refuses a certificate for another name, verify-ca does not', async () => {
    await expect(startApp({ databaseUrl: urlWith(trusted(), 'localhost') })).rejects.toThrow(/localhost|altnames/);
    const app = await startApp({ databaseUrl: urlWith({ ...trusted(), sslmode: 'verify-ca' }, 'localhost') });
    await app.stop();
  });
});
