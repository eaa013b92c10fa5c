import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ImportRun } from '../../../src/entities/import-run.ts';
import { newEvent, ticketRow } from '../../src/inventory/stage.ts';
import { CHILD_ENV } from '../../support/child-env.ts';
import { asNdjson, IMPORT_ENV, importToken } from '../../support/import-calls.ts';
import { listen } from '../../support/listen.ts';
import { type Ended, runCommand } from '../../support/run-command.ts';
import { testApp } from '../../support/test-app.ts';
import { testFolder } from '../../support/test-folder.ts';

const app = await testApp({ env: IMPORT_ENV });
const token = await importToken(app);

const folder = await testFolder();

const environment = () => ({ ADMIN_URL: app.config.adminUrl, INVENTORY_TOKEN: token });

/** @param env `INVENTORY_TOKEN` is there unless it is set otherwise */
const inventory = (words: string[], env: Record<string, string> = {}) =>
  runCommand('inventory', words, { ...environment(), ...env });

/** In a process of its own, with this on standard input. */
function inventoryProcess(words: string[], input: string, env: Record<string, string>) {
  return new Promise<Ended>((resolve) => {
    const child = execFile(
      process.execPath,
      ['adapters/commands/inventory.ts', ...words],
      { env: { ...CHILD_ENV, ...environment(), ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    // a command that ends at once does not read it
    child.stdin?.on('error', () => undefined).end(input);
  });
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function season(count: number): object[] {
  const { event, type, rows } = newEvent();
  return [...rows, ...Array.from({ length: count }, (_, at) => ticketRow(event, type, `${event}-${at}`))];
}

describe('npm run inventory -- import', () => {
  test('sends a file, sums it up on standard output, and ends with 0', async () => {
    const path = await file('season.ndjson', asNdjson(season(3)));
    const { code, stdout, stderr } = await inventory(['import', path]);
    expect(stdout).toMatch(/^Run imp_\w+: finished, 5 lines\n {2}created +5\n/);
    expect(stderr).toMatch(/^imp_\w+: 0 lines/);
    expect(code).toBe(0);
    const run = await app.context().em.findOneOrFail(ImportRun, { fileName: 'season.ndjson' });
    expect(run).toMatchObject({ source: 'cli', format: 'ndjson' });
  });

  test('reads standard input, and a token from a file', async () => {
    const tokenFile = await file('token', `${token}\n`);
    const words = ['import', '-', '--format', 'ndjson', '--token-file', tokenFile, '--url', `${app.config.adminUrl}/`];
    const ended = await inventoryProcess(words, asNdjson(season(1)), { INVENTORY_TOKEN: '', ADMIN_URL: '' });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('finished, 3 lines') });
  });

  test('ends with 1 where a row failed, and writes those rows on request', async () => {
    const path = await file('some.ndjson', `${asNdjson(season(1))}{"kind":"ticket"}\n`);
    const failures = join(folder, 'failures.ndjson');
    const { code, stdout } = await inventory(['import', path, '--failures', failures]);
    expect(stdout).toMatch(/failed +1\n/);
    expect(code).toBe(1);
    expect(JSON.parse(await readFile(failures, 'utf8'))).toMatchObject({ kind: 'ticket', _line: 4 });
  });

  test('says how a run goes on that did not finish, and goes on with it', async () => {
    const rows = season(2);
    const header = 'kind,reference,colour\n';
    const broken = await inventory(['import', await file('broken.csv', header)]);
    expect(broken.code).toBe(1);
    const run = /--resume (imp_\w+)/.exec(broken.stdout)?.[1] ?? '';
    expect(broken.stdout).toContain('unknown column: colour');
    const mended = await inventory(['import', await file('mended.csv', 'kind,reference\n'), '--resume', run]);
    expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining(`Run ${run}: finished`) });
    const other = await inventory(['import', await file('rows.ndjson', asNdjson(rows)), '--resume', run]);
    expect(other).toMatchObject({ code: 2, stderr: 'The run is for a file in csv.\n' });
  });

  const NDJSON = ['package.json', '--format', 'ndjson'];
  const HTTPS = app.config.adminUrl.replace('http:', 'https:');
  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no such file', ['/no/such.ndjson'], {}, /ENOENT.*\/no\/such\.ndjson/],
    ['no format', ['rows.txt'], {}, /--format/],
    ['no token', ['a.csv'], { INVENTORY_TOKEN: '' }, /holds no token/],
    ['a token that is not valid', NDJSON, { INVENTORY_TOKEN: `sv_${'x'.repeat(43)}` }, /not valid/],
    ['nobody there', [...NDJSON, '--url', 'http://127.0.0.1:1'], {}, /can’t be reached.*ECONNREFUSED/],
    ['https where the service speaks http', [...NDJSON, '--url', HTTPS], {}, /can’t be reached: .*(SSL|TLS|EPROTO)/i],
    ['an unknown option', ['a.csv', '--color'], {}, /--color/],
  ])('says clearly: %s', async (_, words, env, told) => {
    const { code, stdout, stderr } = await inventory(['import', ...words], env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(told);
    expect(stderr).not.toContain('    at ');
  });

  test('says where it broke off when the service goes away', async () => {
    const run = 'imp_01jd00000000000000000000';
    const server = createServer((_, response) => {
      response.writeHead(200);
      const counts = { created: 500, updated: 0, unchanged: 0, stale: 0, failed: 0 };
      const line = `${JSON.stringify({ run, state: 'running', lines: 500, ...counts })}\n`;
      response.write(line, () => response.destroy());
    });
    const { url, stop } = await listen(server);
    const { code, stdout } = await inventory(['import', ...NDJSON, '--url', url]);
    await stop();
    expect(code).toBe(1);
    expect(stdout).toContain(`--resume ${run}`);
  });
});
