import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { JSONWebKeySet } from 'jose';
import { describe, expect, inject, it } from 'vitest';
import { readKeypairFile } from '../../../src/chain/cluster/keypair-file.ts';
import { createKeyRing } from '../../../src/keys/key-ring.ts';
import { maintainKeys } from '../../../src/keys/rotate-keys.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { runCommand } from '../../support/run-command.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();
const NEW = Buffer.alloc(32, 23).toString('hex');

const run = (command: 'status' | 'reencrypt' | 'rotate', env: Record<string, string>) =>
  runCommand('keys', [command], { DATABASE_URL: app.config.databaseUrl, ...env });

/** `wallet: [done, left]` */
function tableOf(text: string): Record<string, number[]> {
  const lines = [...text.matchAll(/^(\w+) +\S+ +(\d+) +(\d+)$/gm)];
  return Object.fromEntries(lines.map(([, table = '', done, left]) => [table, [Number(done), Number(left)]]));
}

describe('npm run keys:rotate', () => {
  const rotate = () => run('rotate', { KEY_ENCRYPTION_KEY });

  async function publishedKids(): Promise<(string | undefined)[]> {
    const document = (await (await fetch(`${app.config.authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
    return document.keys.map((key) => key.kid);
  }

  it('publishes the next key, with which the running server signs when it is due', async () => {
    const other = createKeyRing(app.runtime);
    const known = (await other.published()).keys.map((key) => key.kid);
    const { stdout, stderr } = await rotate();
    const [, kid = '', signsFrom = ''] = /^Key ([\w-]{43}) is published and signs from (\S+)\.\n$/.exec(stdout) ?? [];
    expect([kid, stderr]).toEqual([expect.stringMatching(/^[\w-]{43}$/), '']);
    expect(Math.abs(Date.parse(signsFrom) - Date.now() - 300_000)).toBeLessThan(10_000);
    expect((await rotate()).stdout, 'the same key again').toBe(stdout);
    // no older than a second: who caches the answer for five minutes knows the key before it signs
    await expect.poll(publishedKids, { timeout: 2_000 }).toContain(kid);
    app.advance(301);
    await maintainKeys(app.context());
    app.runtime.keys = createKeyRing(app.runtime);
    expect((await app.runtime.keys.current()).kid).toBe(kid);
    // another process learns of it from the first token that it signed, before it reads the keys by itself
    expect(known).not.toContain(kid);
    await expect.poll(() => other.verificationKey(kid), { timeout: 3_000 }).toBeDefined();
  });
});

describe('npm run keys:status and keys:reencrypt', () => {
  it('show what each key sealed, and bring it to the new one', async () => {
    await app.runtime.pool.query(`delete from signing_key where state <> 'current'`);
    await registerFan(app.context(), 'production', '+12025550190');
    const alone = await run('status', { KEY_ENCRYPTION_KEY });
    expect(tableOf(alone.stdout)).toMatchObject({ wallet: [3, 0], signing_key: [1, 0], account_session: [0, 0] });
    expect(alone.stdout).toMatch(/FALLBACK {2}none\n/);
    expect(alone.stdout).toMatch(/\nNothing is left\.\n$/);

    const both = { KEY_ENCRYPTION_KEY: NEW, KEY_ENCRYPTION_KEY_FALLBACK: KEY_ENCRYPTION_KEY };
    const during = await run('status', both);
    expect(tableOf(during.stdout)).toMatchObject({ wallet: [0, 3], signing_key: [0, 1] });
    expect(during.stdout).toContain('4 left: a job re-encrypts them every minute');
    const turned = { KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_FALLBACK: NEW };
    expect((await run('status', turned)).stdout).toContain('Another process seals with the newer key');

    const done = await run('reencrypt', both);
    expect(done.stdout).toMatch(/^4 secrets re-encrypted\.\n/);
    expect(tableOf(done.stdout)).toMatchObject({ wallet: [3, 0], signing_key: [1, 0] });
    expect(done.stdout).toContain('Nothing is left: remove KEY_ENCRYPTION_KEY_FALLBACK from every process.');
    for (const text of [alone, during, done].flatMap(({ stdout, stderr }) => [stdout, stderr])) {
      expect(text).not.toContain(NEW);
      expect(text).not.toContain(KEY_ENCRYPTION_KEY);
    }
  });

  it('without the fallback name what remains, with exit code 1 and no stack', async () => {
    const { code, stderr } = await run('status', { KEY_ENCRYPTION_KEY });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^KEY_ENCRYPTION_KEY does not open everything in this database: 1 row of signing_key, 3 rows/,
    );
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('npm run keypair', () => {
  const newFile = () => join(mkdtempSync(join(inject('runFolder'), 'new-keypair-')), 'admin.json');
  const make = (...words: string[]) => runCommand('new-keypair', words, {});

  it('writes a keypair that the Solana CLI, web3.js and the chain commands read, for its owner only, and prints the address', () => {
    const file = newFile();
    const command = ['adapters/commands/new-keypair.ts', file];
    const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    const { publicKey } = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));
    expect([status, stdout]).toEqual([0, `${publicKey.toBase58()}\n`]);
    expect(readKeypairFile(file).address).toBe(publicKey.toBase58());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('never overwrites a file, whose key may own a program', async () => {
    const file = newFile();
    await make(file);
    const before = readFileSync(file, 'utf8');
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/can't be written.*EEXIST/) };
    expect(await make(file)).toMatchObject(refused);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([[[]], [['--help']], [['one', 'two']]])('refuses the command line %j', async (words) => {
    expect(await make(...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/keypair -- FILE/),
    });
  });
});
