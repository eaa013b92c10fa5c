import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Kept between runs. */
const VENV = resolve('node_modules/.cache/python-samples');
const PACKAGES = ['solders==0.29.0', 'authlib==1.9.9', 'requests==2.34.2'];

/** A Python with what the samples need, installed from PyPI on first use. */
export async function samplesPython(): Promise<string> {
  const python = join(VENV, 'bin/python');
  if (existsSync(join(VENV, 'installed'))) return python;
  await run('python3', ['-m', 'venv', VENV]);
  await run(join(VENV, 'bin/pip'), ['install', '--quiet', ...PACKAGES], { timeout: 300_000 });
  await writeFile(join(VENV, 'installed'), '');
  return python;
}
