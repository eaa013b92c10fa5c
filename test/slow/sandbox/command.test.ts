import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../support/child.ts';

const NODE = 'node_modules/.bin/node';
const COMMAND = 'packages/sandbox/src/main.ts';
const children: ChildProcess[] = [];
/** Where the sandboxes of this file keep their data. */
const folder = mkdtempSync(join(tmpdir(), 'sandboxes-'));
// PostgreSQL may run as another user
chmodSync(folder, 0o755);
const env = { ...process.env, TMPDIR: folder };
afterAll(async () => {
  for (const child of children) if (isRunning(child)) child.kill('SIGTERM') && (await once(child, 'exit'));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the command. @returns the process that printed, and what */
async function start(words: string[], more: NodeJS.ProcessEnv = {}) {
  const child = spawn(NODE, [COMMAND, '--json', ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...env, ...more },
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, printed: JSON.parse(String(line)) };
}

/** Its open files, connections among them, and its memory. */
function usedBy({ pid }: ChildProcess) {
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Number(memory) / 1024 };
}

/** Closes its input, and waits. */
async function end(child: ChildProcess): Promise<unknown> {
  child.stdin?.end();
  return isRunning(child) ? once(child, 'exit') : undefined;
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const withoutPorts = (printed: object) => JSON.stringify(printed).replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1');

describe('options that cannot be used end the command with exit code 2 and a sentence', () => {
  it.each([
    [['--seed', 'seven'], '--seed must be a whole number from 0 to 4294967295, not "seven".'],
    [['--users=0'], '--users must be a whole number from 1 to 50, not "0".'],
    [['--tickets=101'], '--tickets must be a whole number from 0 to 100, not "101".'],
    [['--redirect-uri=ftp://a.example'], '--redirect-uri ftp://a.example must begin with https://.'],
    [['--scopes=openid fan:everything'], '--scopes: there is no scope "fan:everything"; there are openid, profile, '],
    [['--scopes=fan:tickets:read'], '--scopes must contain openid.'],
    [['--port=70000'], '--port must be a whole number from 1 to 65532, not "70000".'],
    [['--host=fan-api:4100'], '--host must be a name in lower case or an address, without a port, not "fan-api:4100".'],
    [['--color'], "Unknown option '--color'"],
  ])('%j: %s', (words, sentence) => {
    const { status, stderr, stdout } = spawnSync(NODE, [COMMAND, ...words], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});

describe('fan-api-sandbox --json', { timeout: 180_000 }, () => {
  it('has the users, tickets, redirect URIs and scopes of its options, and the same with the same seed', async () => {
    const words = ['--seed=7', '--users=3', '--tickets=6', '--redirect-uri=https://a.example/cb', '--scopes=openid'];
    const { child, printed } = await start(words);
    expect(printed.test_users.map((user: { tickets: object[] }) => user.tickets.length)).toEqual([6, 6, 6]);
    expect(printed.redirect_uris).toEqual([`${printed.playground}/callback`, 'https://a.example/cb']);
    expect(printed.scopes).toEqual(['openid']);
    const other = await start([...words.slice(1), '--seed=8']);
    expect(withoutPorts(other.printed)).not.toBe(withoutPorts(printed));
    const again = await start(words);
    expect(withoutPorts(again.printed)).toBe(withoutPorts(printed));
    await Promise.all([child, other.child, again.child].map(end));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not read the environment of the service', async () => {
    const { child, printed } = await start([], { PORT: '1', DATABASE_URL: 'nothing', NODE_ENV: 'production' });
    expect(new URL(printed.issuer).port).not.toBe('1');
    await end(child);
  });

  it('a hundred resets leave no connection and no memory behind', async () => {
    const { child, printed } = await start([]);
    const reset = async () => (await fetch(`${printed.control}/reset`, { method: 'POST' })).text();
    for (let turns = 0; turns < 20; turns++) expect(await reset()).toBe('{"reset":true}');
    const before = usedBy(child);
    for (let turns = 0; turns < 100; turns++) expect(await reset()).toBe('{"reset":true}');
    const after = usedBy(child);
    expect(after.files - before.files).toBeLessThan(5);
    expect(after.megabytes - before.megabytes).toBeLessThan(100);
    await end(child);
  });

  it('with a name and a port it listens for other machines, and its addresses have both', async () => {
    const port = await freePorts(4);
    const { child, printed } = await start([`--port=${port}`, '--host=localhost']);
    const origins = ['issuer', 'rpc_url', 'control'].map((name) => new URL(printed[name]).host);
    expect(origins).toEqual([port, port + 1, port + 3].map((number) => `localhost:${number}`));
    // an address that nothing has which listens on 127.0.0.1 only
    expect(await (await fetch(`http://127.0.0.2:${port + 3}/`)).json()).toEqual(printed);
    expect((await fetch(`http://127.0.0.2:${port}/healthz`)).status).toBe(200);
    await end(child);
  });

  it('the control answers what it cannot do with 400 and the reason', async () => {
    const { child, printed } = await start([]);
    const answer = await fetch(`${printed.control}/nothing`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'there is no GET /nothing; there are GET /, POST /reset and POST /sign-in' },
    ]);
    const refused = await fetch(`${printed.control}/sign-in`, { method: 'POST', body: '{' });
    expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringContaining('JSON') }]);
    await end(child);
  });

  it('on SIGTERM it ends, and leaves no process and no folder', async () => {
    const { child, printed } = await start([]);
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual([]);
    await expect(fetch(printed.rpc_url)).rejects.toThrow('fetch failed');
  });

  it('where its parent is killed it ends, and leaves no process and no folder', async () => {
    // standard input is no pipe: only the parent tells
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['${COMMAND}', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.once('data', () => console.log(child.pid));`;
    const parent = spawn(NODE, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], env });
    children.push(parent);
    const pid = Number((await once(parent.stdout, 'data')).join());
    expect([isAlive(pid), readdirSync(folder).length]).toEqual([true, 1]);
    parent.kill('SIGKILL');
    for (let waited = 0; waited < 20_000 && isAlive(pid); waited += 100) await sleep(100);
    expect([isAlive(pid), readdirSync(folder)]).toEqual([false, []]);
  });
});
