import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkProgram, renderChecksum } from '../build/build-program.ts';
import { compileProgram } from '../build/compile-program.ts';
import { findCompiler } from '../build/find-compiler.ts';
import { findLinker } from '../build/find-linker.ts';
import { LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { ELF, startTicketVm } from './ticket-vm.ts';

const SOURCE = join(import.meta.dirname, '../program');
const BUILT = ['permit.h', 'idl.json', 'permit.so', 'permit.so.sha256'];
const compiler = findCompiler();
const linker = findLinker();
const canBuild = compiler !== undefined && linker !== undefined;

test('header, IDL, program and checksum are those of the source', () => {
  const outcomes = Object.fromEntries(checkProgram().map(({ file, outcome }) => [file, outcome]));
  expect(outcomes).toEqual({
    'permit.h': 'same',
    'idl.json': 'same',
    'permit.so.sha256': 'same',
    'permit.so': canBuild ? 'same' : `skipped: no ${compiler ? 'linker' : 'clang-14'}`,
  });
});

test('the checksum is that of the program, as sha256sum writes it', () => {
  const written = readFileSync(join(SOURCE, 'permit.so.sha256'), 'utf8');
  expect(written).toBe(renderChecksum(ELF));
  expect(written).toMatch(/^[0-9a-f]{64} {2}permit\.so\n$/);
});

describe('a check of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ticket-program-test-'));
    for (const file of BUILT) copyFileSync(join(SOURCE, file), join(folder, file));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const differing = (withCompiler = '') =>
    checkProgram(folder, withCompiler)
      .filter(({ outcome }) => outcome === 'differs')
      .map(({ file }) => file);

  test('finds nothing where nothing changed', () => {
    expect(differing()).toEqual([]);
  });

  test.each(['permit.h', 'idl.json', 'permit.so.sha256'])('tells a changed %s, even without a compiler', (file) => {
    writeFileSync(join(folder, file), `${readFileSync(join(folder, file), 'utf8')} `);
    expect(differing()).toEqual([file]);
  });

  test('tells a changed program by its checksum, even without a compiler', () => {
    const changed = Buffer.from(ELF);
    changed.writeUInt8(changed.readUInt8(300) ^ 1, 300);
    writeFileSync(join(folder, 'permit.so'), changed);
    expect(differing()).toEqual(['permit.so.sha256']);
  });

  test('tells a missing file', () => {
    for (const file of BUILT) rmSync(join(folder, file));
    expect(differing()).toEqual(['permit.h', 'idl.json', 'permit.so.sha256']);
  });

  test('says so where there is no compiler to rebuild the program', () => {
    expect(checkProgram(folder, '')).toContainEqual({ file: 'permit.so', outcome: 'skipped: no clang-14' });
    expect(checkProgram(folder, 'clang', '')).toContainEqual({ file: 'permit.so', outcome: 'skipped: no linker' });
  });

  test.skipIf(!canBuild)('tells a program of another source, though its checksum fits', () => {
    const changed = Buffer.from(ELF);
    changed.writeUInt8(changed.readUInt8(300) ^ 1, 300);
    writeFileSync(join(folder, 'permit.so'), changed);
    writeFileSync(join(folder, 'permit.so.sha256'), renderChecksum(changed));
    expect(differing(compiler)).toEqual(['permit.so']);
  });
});

describe('findCompiler', () => {
  test('passes over what is not there and what is no clang 14', () => {
    expect(findCompiler(['/nowhere/clang-14', undefined, process.execPath])).toBeUndefined();
  });

  test('takes the first that is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ticket-program-test-'));
    const command = join(folder, 'cc');
    writeFileSync(command, '#!/bin/sh\necho "Some clang version 14.0.6"\n', { mode: 0o755 });
    expect(findCompiler([process.execPath, command])).toBe(command);
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(!canBuild)('with clang 14 and the linker', () => {
  const compile = (version: 0 | 3 = 0) => compileProgram({ compiler: compiler ?? '', linker: linker ?? '', version });

  test('two builds give one program', () => {
    expect(renderChecksum(compile())).toBe(renderChecksum(compile()));
  });

  test('as sBPF v3 the program tells the same story', async () => {
    const vm = startTicketVm(compile(3));
    for (const step of [vm.initialize, vm.register, vm.issue, vm.list, vm.cancel]) {
      expect((await step()).error).toBeUndefined();
    }
    expect((await vm.transfer(vm.stranger, vm.buyer.publicKey)).error).toBe('WrongOwner');
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
  });
});

describe('the command', () => {
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../build/build-program.ts'), ...args], {
      encoding: 'utf8',
    });

  test('--check tells each file, and succeeds where nothing differs', () => {
    const { status, stdout } = run(['--check']);
    expect(status).toBe(0);
    expect(stdout).toContain('permit.h: same\nidl.json: same\npermit.so.sha256: same\n');
  });

  test('--idl prints the IDL for another address, and for nothing else', () => {
    const other = Keypair.generate().publicKey.toBase58();
    const { status, stdout } = run(['--idl', other]);
    expect([status, JSON.parse(stdout).address]).toEqual([0, other]);
    for (const wrong of ['nobody', LOCAL_PROGRAM_ID.slice(0, -3)]) {
      expect(run(['--idl', wrong])).toMatchObject({ status: 1, stderr: `not a base58 address: ${wrong}\n` });
    }
  });
});
