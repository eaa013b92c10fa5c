import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { JSONWebKeySet } from 'jose';
import { expect, it, vi } from 'vitest';
import { createKeyRing } from '../../../src/keys/key-ring.ts';
import { maintainKeys } from '../../../src/keys/rotate-keys.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

// each starts a process of its own, which takes a while on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const app = await testApp();

/** `npm run keys:rotate` beside the running server. */
async function rotate(env: Record<string, string> = {}) {
  const { databaseUrl = '' } = app.config;
  return promisify(execFile)(process.execPath, ['adapters/commands/rotate-keys.ts'], {
    env: { DATABASE_URL: databaseUrl, KEY_ENCRYPTION_KEY, ...env },
  });
}

async function publishedKids(): Promise<(string | undefined)[]> {
  const document = (await (await fetch(`${app.config.authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  return document.keys.map((key) => key.kid);
}

it('npm run keys:rotate: the running server publishes the key, and signs with it when it is due', async () => {
  const { stdout, stderr } = await rotate();
  const [, kid = '', signsFrom = ''] = /^Key ([\w-]{43}) is published and signs from (\S+)\.\n$/.exec(stdout) ?? [];
  expect([kid, stderr]).toEqual([expect.stringMatching(/^[\w-]{43}$/), '']);
  expect(Math.abs(Date.parse(signsFrom) - Date.now() - 300_000)).toBeLessThan(10_000);
  // no older than a second: whoever caches the answer for five minutes knows the key before it signs
  await sleep(1_100);
  expect(await publishedKids()).toContain(kid);
  app.advance(301);
  await maintainKeys(app.context());
  app.runtime.keys = createKeyRing(app.runtime);
  expect((await app.runtime.keys.current()).kid).toBe(kid);
});

it('npm run keys:rotate with another KEY_ENCRYPTION_KEY: exit code 1, a clear message, and no key', async () => {
  const before = await publishedKids();
  const failure = await rotate({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('hex') }).catch((error) => error);
  expect(failure.code).toBe(1);
  expect(failure.stderr).toContain('KEY_ENCRYPTION_KEY');
  expect(failure.stderr, 'no stack').not.toMatch(/\n\s+at /);
  app.runtime.keys = createKeyRing(app.runtime);
  expect((await publishedKids()).sort()).toEqual(before.sort());
});

it('a process learns of a new key from the first token signed by it, before it reads the keys by itself', async () => {
  const other = createKeyRing(app.runtime);
  const known = (await other.published()).keys.map((key) => key.kid);
  await rotate();
  await sleep(1_100);
  app.advance(301);
  await maintainKeys(app.context());
  app.runtime.keys = createKeyRing(app.runtime);
  const { kid } = await app.runtime.keys.current();
  expect(known).not.toContain(kid);
  expect(await other.verificationKey(kid)).toBeDefined();
});
