import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apply, newEvent, ticketRow } from '../src/inventory/stage.ts';
import { IMPORT_ENV, importToken } from '../support/import-calls.ts';
import { testApp } from '../support/test-app.ts';
import { testFolder } from '../support/test-folder.ts';

const app = await testApp({ env: IMPORT_ENV });
const INVENTORY_TOKEN = await importToken(app, ['inventory:read']);
const folder = await testFolder();
const page = await readFile('docs/inventory.md', 'utf8');

test.each([
  ['python', 'python3', 'follow.py'],
  ['ts', process.execPath, 'follow.ts'],
])(
  'the follower in %s has each ticket and each change, goes on where it was killed, and says that a token is not valid',
  async (language, program, name) => {
    const sample = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1];
    const cwd = join(folder, language);
    await mkdir(cwd);
    await writeFile(join(cwd, name), sample ?? '');
    await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
    const start = (token: string) => {
      const env = { PATH: process.env.PATH, ADMIN_URL: app.config.adminUrl, INVENTORY_TOKEN: token };
      const child = spawn(program, [name], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const written = { text: '' };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (written.text += part));
      return { child, written, closed: once(child, 'close') };
    };
    const { event, type, rows } = newEvent();
    const tickets = [0, 1].map((at) => ticketRow(event, type, `${event}-${at}`));
    await apply(app, [...rows, ...tickets]);
    const first = start(INVENTORY_TOKEN);
    await expect.poll(() => first.written.text, { timeout: 20_000 }).toContain(`${event}-0 valid\n${event}-1 valid\n`);
    await apply(app, [{ ...tickets[0], status: 'void' }]);
    await expect.poll(() => first.written.text, { timeout: 20_000 }).toContain(`\n${event}-0 void\n`);
    await expect.poll(() => readFile(join(cwd, 'cursor'), 'utf8')).toMatch(/^[\w-]{32}$/);
    first.child.kill('SIGKILL');
    await first.closed;
    await apply(app, [{ ...tickets[1], status: 'refunded' }]);
    const second = start(INVENTORY_TOKEN);
    await expect.poll(() => second.written.text, { timeout: 20_000 }).toBe(`${event}-1 refunded\n`);
    second.child.kill('SIGKILL');
    const refused = start(`sv_${'x'.repeat(43)}`);
    expect(await refused.closed).toEqual([1, null]);
    expect(refused.written.text).toContain('Send the token of a service account');
  },
);
