import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/child.ts';
import { mainProcess } from '../support/main-process.ts';
import { testFolder } from '../support/test-folder.ts';

const found = ['nginx', 'caddy'].filter((command) => spawnSync(command, ['-v']).error === undefined);

/** The first block of a language in a document. */
function blockOf(document: string, language: string): string {
  const page = readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  if (block === undefined) throw new Error(`${document} has no ${language} block`);
  return block;
}

const folder = await testFolder();
const tlsPort = await freePorts();
const main = mainProcess();
const proxies: ChildProcess[] = [];
let servicePort = 0;

beforeAll(async () => {
  if (found.length === 0) return;
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=example', '-days', '1', ...files],
    { stdio: 'ignore' },
  );
  const url = (host: string, path = '') => `https://${host}:${tlsPort}${path}`;
  const service = await main.keep({
    AUTH_URL: url('auth.example.com'),
    API_URL: url('api.example.com', '/fan'),
    LOGIN_URL: url('login.example.com'),
    ADMIN_URL: url('console.example.com'),
    SURFACES: 'auth,fan,login,admin',
    LOCALNET: 'false',
    TRUSTED_PROXIES: '1',
  });
  expect(await service.ready(), service.errors()).toBe(true);
  servicePort = service.port;
});

afterAll(stopProxy);

/** A block with the ports, files and names of this test. */
function here(block: string, network: string): string {
  return block
    .replaceAll(/(?:10\.0\.0\.1\d|127\.0\.0\.1):3000/g, `127.0.0.1:${servicePort}`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`)
    .replaceAll(/\/etc\/ssl\/[\w.]+\.pem/g, join(folder, 'cert.pem'))
    .replaceAll(/\/etc\/ssl\/[\w.]+\.key/g, join(folder, 'key.pem'))
    .replaceAll(/(?<![\w.])tickets\.example(?!\.)/g, 'auth.example.com')
    .replaceAll('console.tickets.example', 'console.example.com')
    .replaceAll('10.0.0.0/8', network);
}

async function startNginx(document: string, network: string): Promise<void> {
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const own = `user root; daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}`;
  await writeFile(
    file,
    `${own}\nhttp {\naccess_log off; ${temporary.join(' ')}\n${here(blockOf(document, 'nginx'), network)}}\n`,
  );
  const check = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' });
  expect(check.status, check.stderr).toBe(0);
  expect(check.stderr).not.toContain('[warn]');
  await begin('nginx', ['-c', file]);
}

async function startCaddy(document: string, network: string): Promise<void> {
  const file = join(folder, 'Caddyfile');
  const block = here(blockOf(document, 'caddy'), network);
  const sites = block.replaceAll(
    /^(\S+) \{$/gm,
    `$1:${tlsPort} {\n  tls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`,
  );
  await writeFile(file, `{\n  admin off\n  auto_https off\n}\n${sites}`);
  await begin('caddy', ['run', '--config', file, '--adapter', 'caddyfile']);
}

async function begin(command: string, args: string[]): Promise<void> {
  await stopProxy();
  const proxy = spawn(command, args, { stdio: 'ignore', env: { PATH: process.env.PATH, HOME: folder } });
  proxies.push(proxy);
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await get('auth.example.com', '/readyz').catch(() => undefined);
    if (answer !== undefined) return;
    await sleep(50);
  }
  throw new Error(`${command} does not listen`);
}

async function stopProxy(): Promise<void> {
  const proxy = proxies.pop();
  if (proxy === undefined) return;
  proxy.kill('SIGTERM');
  if (proxy.exitCode === null) await once(proxy, 'exit');
}

async function get(host: string, path: string): Promise<{ status: number | undefined; body: string }> {
  const call = request({
    host: '127.0.0.1',
    port: tlsPort,
    path,
    servername: host,
    headers: { Host: `${host}:${tlsPort}` },
    rejectUnauthorized: false,
    agent: false,
  });
  call.end();
  const [response] = await once(call, 'response');
  return { status: response.statusCode, body: await text(response) };
}

const BLOCKS = [
  ['nginx', 'runbook/install.md', startNginx],
  ['nginx', 'going-live.md', startNginx],
  ['caddy', 'going-live.md', startCaddy],
] as const;

describe.each(BLOCKS)('the %s block of %s', (command, document, start) => {
  it.skipIf(!found.includes(command))(
    'passes host and port on, and keeps the console for its own network and metrics off',
    async () => {
      await start(document, '10.0.0.0/8');
      const discovery = await get('auth.example.com', '/.well-known/openid-configuration');
      expect(JSON.parse(discovery.body)).toMatchObject({ issuer: `https://auth.example.com:${tlsPort}` });
      expect((await get('console.example.com', '/')).status).toBe(403);
      for (const path of ['/admin', '/metrics', '/graphql'])
        expect((await get('auth.example.com', path)).status).toBe(404);
      await start(document, '127.0.0.0/8');
      expect((await get('console.example.com', '/')).status).toBeLessThan(400);
    },
  );
});
