import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRuntime } from '../../adapters/process/runtime.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { ChainHead } from '../../src/record/audit/chain-head.ts';
import { sealAudit } from '../../src/record/audit/seal-audit.ts';
import { verifyAudit } from '../../src/record/audit/verify-audit.ts';
import { freePorts } from '../support/child.ts';
import { callFan, postForm, refreshForm, signIn } from '../support/partner.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

/**
 * The commands of docs/runbook/backup.md, as they stand there, with a PostgreSQL of this machine: its programs are in `PG_BIN` or where
 * Debian has them (15 or newer).
 */
const PG_BIN = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const PAGE = readFileSync(new URL('../../docs/runbook/backup.md', import.meta.url), 'utf8');

const run = promisify(execFile);
let folder: string;
let port: number;
let databaseUrl: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fan-api-backup-'));
  await chmod(folder, 0o777);
  port = await freePorts();
  databaseUrl = `postgres://owner:secret@127.0.0.1:${port}/fan_api`;
  env = {
    PATH: `${PG_BIN}:${process.env.PATH}`,
    PGDATA: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    REPLICATION_URL: `postgres://owner:secret@127.0.0.1:${port}/`,
    PGPASSFILE: '/dev/null',
  };
});
afterAll(async () => {
  await shell('pg_ctl stop --mode=immediate || true');
  await rm(folder, { recursive: true, force: true });
});

/** As the user that runs PostgreSQL, which refuses root. */
async function shell(script: string, more: Record<string, string> = {}): Promise<void> {
  const commands = `exec 2>&1; ${script}`;
  const given = { ...env, ...more };
  const program: [string, string[]] =
    process.getuid?.() === 0
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', 'bash', '-euc', commands]]
      : ['bash', ['-euc', commands]];
  await run(program[0], program[1], { env: given, cwd: folder }).catch((error) => {
    throw new Error(`${script}\n${error.stdout ?? error.message}`);
  });
}

/** The commands below a heading of the page. */
function commandsOf(heading: string): string {
  const found = new RegExp(`^## ${heading}\\n[^#]*?\`\`\`sh\\n([^]*?)\`\`\``, 'm').exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`${heading}: the page has no commands`);
  return found;
}

async function newServer(): Promise<void> {
  await shell(`
    initdb --username=owner --auth=scram-sha-256 --pwfile=<(echo secret) >/dev/null
    printf "port = ${port}\\nlisten_addresses = '127.0.0.1'\\nunix_socket_directories = '${folder}'\\n" >> "$PGDATA/postgresql.conf"
    pg_ctl start --wait --log="$PGDATA/server.log" >/dev/null
    psql "postgres://owner:secret@127.0.0.1:${port}/postgres" --quiet --command="create database fan_api"
  `);
}

async function query(sql: string): Promise<string> {
  const { stdout } = await run(join(PG_BIN, 'psql'), [databaseUrl, '--tuples-only', '--no-align', '--command', sql]);
  return stdout.trim();
}

async function destroyServer(): Promise<void> {
  await shell('pg_ctl stop --mode=immediate; rm -rf "$PGDATA"');
}

/** What must be there again. */
interface Kept {
  refreshToken: string;
  head: ChainHead;
}

async function fill(app: TestApp): Promise<Kept> {
  const { refresh_token: refreshToken } = await signIn(app);
  await sealAudit(app.context());
  const { head, broken } = await verifyAudit(app.context());
  if (head === null || broken) throw new Error('the chain must be whole before');
  return { refreshToken, head };
}

async function expectKept({ refreshToken, head }: Kept): Promise<void> {
  const app = await startApp({ databaseUrl });
  try {
    const restored = await verifyAudit(app.context(), head);
    expect(restored.broken).toBeUndefined();
    expect(BigInt(restored.head?.position ?? 0)).toBeGreaterThanOrEqual(BigInt(head.position));
    const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, refreshToken));
    expect(refreshed.status).toBe(200);
    const listed = await callFan(app, '/tickets', String(refreshed.body.access_token));
    expect(listed.status).toBe(200);
    expect(listed.body.tickets).not.toEqual([]);
    // and it goes on: the chain grows from where it ended
    await signIn(app);
    await sealAudit(app.context());
    expect((await verifyAudit(app.context(), head)).broken).toBeUndefined();
  } finally {
    await app.stop();
  }
}

it.each([
  { kind: 'a dump', backup: 'Dump', restore: 'Restore a dump', intoNew: true },
  { kind: 'a base backup', backup: 'Base backup', restore: 'Restore a base backup', intoNew: false },
])('$kind brings everything back: an old refresh token works, and the audit chain verifies', async (way) => {
  await newServer();
  const app = await startApp({ databaseUrl });
  const BACKUP = join(folder, way.kind.replaceAll(' ', '-'));
  await mkdir(BACKUP);
  await chmod(BACKUP, 0o777);
  const kept = await fill(app);
  // while the service runs
  await shell(commandsOf(way.backup), { BACKUP });
  await app.stop();
  await destroyServer();

  if (way.intoNew) await newServer();
  await shell(commandsOf(way.restore), { BACKUP });
  const config = readConfig({ DATABASE_URL: databaseUrl, KEY_ENCRYPTION_KEY: '1'.repeat(64), LOG_LEVEL: 'silent' });
  await expect(openRuntime(config), 'without its key nothing opens').rejects.toThrow(
    /KEY_ENCRYPTION_KEY does not open everything/,
  );
  await expectKept(kept);
  await destroyServer();
});

it('the archive brings back the moment before a mistake: what came after the base backup, and not the mistake', async () => {
  await newServer();
  const BACKUP = join(folder, 'archive');
  await shell('mkdir -p "$BACKUP/wal"', { BACKUP });
  await shell(commandsOf('Continuous archiving'), { BACKUP });
  await shell('pg_ctl restart --wait --log="$PGDATA/server.log" >/dev/null');
  const app = await startApp({ databaseUrl });
  await shell(commandsOf('Base backup'), { BACKUP });
  const kept = await fill(app);
  const MOMENT = await query('select clock_timestamp()');
  await sleep(100);
  await query('delete from refresh_token_family');
  await app.stop();
  await query('select pg_switch_wal()');
  await expect.poll(() => query('select failed_count, archived_count > 1 from pg_stat_archiver')).toBe('0|t');
  await shell('pg_ctl stop --mode=fast; rm -rf "$PGDATA"');

  await shell(commandsOf('Restore to a moment'), { BACKUP, MOMENT });
  await expectKept(kept);
  await destroyServer();
});
