import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkProgram, renderChecksum } from '../build/build-program.ts';
import { compileProgram } from '../build/compile-program.ts';
import { findToolchain, ToolMissing } from '../build/find-toolchain.ts';
import { LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { ELF, FIRST_LISTING, startTicketVm } from './ticket-vm.ts';

const SOURCE = join(import.meta.dirname, '../program');
const GENERATED = ['src/layout.rs', 'idl.json', 'permit.so.sha256'];
/** Named in the titles of what is skipped. */
const missing = missingTool();
const noTools = () => {
  throw new ToolMissing('no tools');
};

function missingTool(): string {
  try {
    findToolchain(SOURCE);
    return '';
  } catch (error) {
    if (error instanceof ToolMissing) return error.message;
    throw error;
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ticket-program-test-'));
  cpSync(SOURCE, folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('the checksum is that of the program, as sha256sum writes it', () => {
  const written = readFileSync(join(SOURCE, 'permit.so.sha256'), 'utf8');
  expect(written).toBe(renderChecksum(ELF));
  expect(written).toMatch(/^[0-9a-f]{64} {2}permit\.so\n$/);
});

describe('a check of a folder, without the tools', () => {
  const write = (file: string, bytes: string | Uint8Array) => writeFileSync(join(folder, file), bytes);
  const spoil = (file: string) => write(file, `${readFileSync(join(folder, file), 'utf8')} `);
  const remove = (file: string) => rmSync(join(folder, file));

  test('finds nothing where nothing changed, and names what is missing for the code', () => {
    expect(checkProgram(folder, noTools)).toEqual([
      ...GENERATED.map((file) => ({ file, outcome: 'same' })),
      { file: 'permit.so', outcome: 'skipped: no tools' },
    ]);
  });

  test.each<[string, () => void, string[]]>([
    ['a changed idl.json', () => spoil('idl.json'), ['idl.json']],
    ['a changed permit.so.sha256', () => spoil('permit.so.sha256'), ['permit.so.sha256']],
    ['a changed layout, and so a changed program', () => spoil('src/layout.rs'), ['src/layout.rs', 'permit.so']],
    ['a changed program by its checksum', () => write('permit.so', changedProgram()), ['permit.so.sha256']],
    [
      'missing files',
      () => ['permit.so', 'permit.so.sha256', 'idl.json'].forEach(remove),
      ['idl.json', 'permit.so.sha256'],
    ],
  ])('finds %s', (_, change, differing) => {
    change();
    const found = checkProgram(folder, noTools).filter(({ outcome }) => outcome === 'differs');
    expect(found.map(({ file }) => file)).toEqual(differing);
  });
});

describe('findToolchain names what is missing and how to install it', () => {
  /** A command that prints its lines for any argument, first on the path. */
  function fake(command: string, output: string): void {
    writeFileSync(join(folder, command), `#!/bin/sh\necho '${output}'\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  }

  test('another version of Rust', () => {
    fake('rustc', 'rustc 1.96.0 (abc 2026-05-28)');
    expect(() => findToolchain(folder)).toThrow('no Rust 1.95.0: rustup toolchain install 1.95.0 --component rust-src');
  });

  test('no Rust at all', () => {
    vi.stubEnv('PATH', folder);
    expect(() => findToolchain(folder)).toThrow(ToolMissing);
  });

  test('no source of the standard library', () => {
    fake('rustc', 'rustc 1.95.0 (59807616e 2026-04-14)');
    expect(() => findToolchain(folder)).toThrow('no rust-src: rustup component add rust-src --toolchain 1.95.0');
  });

  test.skipIf(missing)(`another version of the linker ${missing}`, () => {
    fake('linker', 'sbpf-linker 0.1.9');
    expect(() => findToolchain(SOURCE, join(folder, 'linker'))).toThrow(
      /^no sbpf-linker 0\.2\.6: cargo \+1\.95\.0 install/,
    );
  });
});

describe.skipIf(missing)(`with Rust and the linker ${missing}`, { timeout: 240_000 }, () => {
  const compile = (version: 0 | 3 = 0) =>
    compileProgram({ folder, toolchain: findToolchain(folder), version, offline: true });

  test('another folder and another home of cargo give the committed program, without a path in it', () => {
    const home = mkdtempSync(join(tmpdir(), 'ticket-program-cargo-'));
    symlinkSync(join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry'), join(home, 'registry'));
    vi.stubEnv('CARGO_HOME', home);
    const program = compile();
    rmSync(home, { recursive: true });
    expect(renderChecksum(program)).toBe(renderChecksum(ELF));
    expect(Buffer.from(program).toString('latin1')).not.toMatch(/\.rs|registry|rustup|\/src\//);
  });

  test('a program of another source differs, though its checksum fits', () => {
    const changed = changedProgram();
    writeFileSync(join(folder, 'permit.so'), changed);
    writeFileSync(join(folder, 'permit.so.sha256'), renderChecksum(changed));
    const outcomes = checkProgram(folder).map(({ file, outcome }) => `${file}: ${outcome}`);
    expect(outcomes).toEqual([...GENERATED.map((file) => `${file}: same`), 'permit.so: differs']);
  });

  test('without the crates a check is skipped, and downloads none', () => {
    const home = mkdtempSync(join(tmpdir(), 'ticket-program-cargo-'));
    vi.stubEnv('CARGO_HOME', home);
    expect(checkProgram(folder)).toContainEqual({
      file: 'permit.so',
      outcome: 'skipped: crates that Cargo.lock names are not on this machine: npm run program:build',
    });
    rmSync(home, { recursive: true });
  });

  test('built as sBPF v3, the program behaves the same', async () => {
    const vm = startTicketVm(compile(3));
    for (const step of [vm.initialize, vm.register, vm.issue, vm.list, vm.cancel, vm.list]) {
      expect((await step()).error).toBeUndefined();
    }
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, FIRST_LISTING)).error).toBe('WrongListing');
  });
});

/** The committed program with a bit changed. */
function changedProgram(): Uint8Array {
  const changed = Buffer.from(ELF);
  changed.writeUInt8(changed.readUInt8(300) ^ 1, 300);
  return changed;
}

describe('the command', () => {
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../build/build-program.ts'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, SBPF_LINKER: '/nowhere/sbpf-linker' },
    });

  test('--check prints the outcome of each file, and succeeds where nothing differs', () => {
    const { status, stdout } = run(['--check']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^src\/layout\.rs: same\nidl\.json: same\npermit\.so\.sha256: same\npermit\.so: skipped: no .*\n$/,
    );
  });

  test('a build without the tools says what is missing, and writes nothing', () => {
    const { status, stderr } = run([]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^no (Rust|rust-src|sbpf-linker).*: (rustup|cargo) /)]);
  });

  test('--idl prints the IDL for another address, and refuses what is no address', () => {
    const other = Keypair.generate().publicKey.toBase58();
    const { status, stdout } = run(['--idl', other]);
    expect([status, JSON.parse(stdout).address]).toEqual([0, other]);
    for (const wrong of ['nobody', LOCAL_PROGRAM_ID.slice(0, -3)]) {
      expect(run(['--idl', wrong])).toMatchObject({ status: 1, stderr: `not a base58 address: ${wrong}\n` });
    }
  });
});
