import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptSecret } from '../src/kept-secret.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fan-api-secret-'));
  file = join(folder, 'secret');
});
afterEach(() => rm(folder, { recursive: true }));

let made = 0;
const make = () => `secret-${++made}`;
const FORM = /^secret-\d+$/;

it('is made once and read from then on, by its owner only', async () => {
  const first = await keptSecret(file, make, FORM);
  expect(await keptSecret(file, make, FORM)).toBe(first);
  expect(await readdir(folder)).toEqual(['secret']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('is the same for many that ask for it at once', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => keptSecret(file, make, FORM)));
  expect(new Set(secrets).size).toBe(1);
});

it.each(['', 'secret-', 'garbage'])(
  'a file with "%s" is refused by name, never used as a key and never overwritten',
  async (text) => {
    await writeFile(file, text);
    await expect(keptSecret(file, make, FORM)).rejects.toThrow(`${file} does not hold the secret`);
    expect((await stat(file)).size).toBe(text.length);
  },
);
