import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readKeypairFile } from '../../../src/cluster/keypair-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'new-keypair-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) =>
  spawnSync(process.execPath, ['adapters/commands/new-keypair.ts', ...words], { encoding: 'utf8' });

it('writes a keypair that the Solana CLI, web3.js and the chain commands read, for its owner only, and prints the address', () => {
  const file = join(folder, 'admin.json');
  const { status, stdout } = run(file);
  const { publicKey } = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));
  expect([status, stdout]).toEqual([0, `${publicKey.toBase58()}\n`]);
  expect(readKeypairFile(file).address).toBe(publicKey.toBase58());
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('never overwrites a file, whose key may own a program', () => {
  const file = join(folder, 'admin.json');
  run(file);
  const before = readFileSync(file, 'utf8');
  expect(run(file)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/can't be written.*EEXIST/) });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it.each([[[]], [['--help']], [['one', 'two']]])('%j is a wrong command line', (words) => {
  expect(run(...words)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/keypair -- FILE/) });
});
