import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnd } from '../../../src/inventory/feed/give-positions.ts';
import { cursorAt } from '../../../src/inventory/feed/read-feed.ts';
import { apply, newEvent, ticketRow } from '../../src/inventory/stage.ts';
import { IMPORT_ENV, importToken } from '../../support/import-calls.ts';
import { listen } from '../../support/listen.ts';
import { runCommand } from '../../support/run-command.ts';
import { runFollower } from '../../support/run-follower.ts';
import { testApp } from '../../support/test-app.ts';
import { testFolder } from '../../support/test-folder.ts';

const app = await testApp({ env: IMPORT_ENV });
const INVENTORY_TOKEN = await importToken(app, ['inventory:read']);
const folder = await testFolder();
const environment = { ADMIN_URL: app.config.adminUrl, INVENTORY_TOKEN };
const SOON = { timeout: 20_000 };

/** A new event with two tickets. @returns its reference */
async function event() {
  const { event: name, type, rows } = newEvent();
  await apply(app, [...rows, ticketRow(name, type, `${name}-0`), ticketRow(name, type, `${name}-1`)]);
  return name;
}

const setStatus = (ticket: string, status: string) =>
  app.runtime.pool.query('update ticket set status = $2 where reference = $1', [ticket, status]);

test('prints a snapshot and what changes, keeps its place, ends at SIGTERM with 0, and goes on there', async () => {
  const name = await event();
  const file = join(folder, 'place');
  const words = ['--cursor', file, '--event', name];
  const first = runFollower(words, environment);
  await expect.poll(() => first.lines, SOON).toMatchObject([{ ticket: `${name}-0` }, { ticket: `${name}-1` }]);
  await setStatus(`${name}-1`, 'void');
  await expect.poll(() => first.lines.slice(2), SOON).toMatchObject([{ ticket: `${name}-1`, status: 'void' }]);
  await expect.poll(() => readFile(file, 'utf8'), SOON).toBe(`${cursorAt(await readEnd(app.runtime.pool))}\n`);
  expect(await first.end('SIGTERM')).toBe(0);
  await setStatus(`${name}-0`, 'refunded');
  const second = runFollower(words, environment);
  await expect.poll(() => second.lines, SOON).toMatchObject([{ ticket: `${name}-0`, status: 'refunded' }]);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(second.errors()).toBe('');
});

test('takes a snapshot where its cursor is ahead of a restored database', async () => {
  const name = await event();
  const file = join(folder, 'ahead');
  const end = await readEnd(app.runtime.pool);
  await writeFile(file, cursorAt(end, end.position + 1_000_000));
  const follower = runFollower(['--cursor', file, '--event', name], environment);
  await expect.poll(() => follower.lines.length, SOON).toBe(2);
  expect(follower.errors()).toContain('Take a snapshot');
  expect(await follower.end('SIGTERM')).toBe(0);
});

test('goes on after any break, and keeps no place before the lines of it are complete', async () => {
  const file = join(folder, 'broken');
  const ticket = (name: string) => `${JSON.stringify({ ticket: name })}\n`;
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(503, { 'retry-after': '1' }).end('{"errors":[{"message":"Down."}]}'),
    (response) => response.writeHead(200).write(ticket('a'), () => response.destroy()),
    (response) => response.writeHead(200).end(`${ticket('a')}{"cursor":"one"}\n`),
    (response) => response.destroy(),
    (response) => response.writeHead(200).end(`${ticket('b')}{"cursor":"two"}\n`),
  ];
  const asked: string[] = [];
  const { url, stop } = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      // the last one waits
      answers.shift()?.(response);
    }),
  );
  const follower = runFollower(['--cursor', file, '--url', url], environment);
  await expect.poll(() => asked.length, SOON).toBe(6);
  const changes = (cursor: string) => `/feed/changes?after=${cursor}&wait=25`;
  expect(asked).toEqual(['/feed?', '/feed?', '/feed?', changes('one'), changes('one'), changes('two')]);
  expect(follower.lines).toEqual([{ ticket: 'a' }, { ticket: 'a' }, { ticket: 'b' }]);
  expect(follower.errors()).toMatch(/^Down\. Trying again in 1 seconds\.\nThe service can’t be reached: .*\n/);
  expect(await readFile(file, 'utf8')).toBe('two\n');
  expect(await follower.end('SIGTERM')).toBe(0);
  await stop();
});

test('ends with 1 where nobody reads its output', async () => {
  const name = await event();
  const follower = runFollower(['--cursor', join(folder, 'unread'), '--event', name], environment);
  follower.child.stdout?.destroy();
  await expect.poll(() => follower.child.exitCode, SOON).toBe(1);
});

test.each([
  ['no place for the cursor', [], /needs --cursor FILE/],
  [
    'a token that is not valid',
    ['--cursor', join(folder, 'none'), '--token-file', 'TOKEN'],
    /token of a service account/,
  ],
  ['an unknown event', ['--cursor', join(folder, 'none'), '--event', 'nobody'], /no event with the reference nobody/],
  ['a cursor of something else', ['--cursor', 'package.json'], /not a cursor of this feed/],
  ['another word', ['--cursor', 'x', 'y'], /y: flags are written/],
])('says clearly, and ends with 2: %s', async (_, words, told) => {
  const file = join(folder, 'TOKEN');
  await writeFile(file, `sv_${'x'.repeat(43)}`);
  const given = words.map((word) => (word === 'TOKEN' ? file : word));
  const { code, stdout, stderr } = await runCommand('inventory', ['follow', ...given], environment);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(told);
});
