import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { POLICY_VERSION } from '@fan-api/cosign-policy/policy-version';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLinter } from '../../packages/cosign-policy/build/build-linter.ts';
import {
  AUTHORITY,
  FAN,
  keyOf,
  legacyBytes,
  listInstruction,
  PROGRAM_ID,
} from '../src/chain/transaction/build-transaction.ts';

const run = promisify(execFile);
const GOOD = legacyBytes([listInstruction()]);
const BAD = legacyBytes([listInstruction(undefined, 0n)]).toString('hex');
const KNOWN = ['--type', 'list', '--program', PROGRAM_ID, '--wallet', keyOf(FAN), '--authority', keyOf(AUTHORITY)];

/** Outside of the project, so that nothing of it can be loaded. */
const folder = mkdtempSync(join(tmpdir(), 'cosign-policy-'));
let server: Server;
let origin: string;

beforeAll(async () => {
  await buildLinter(join(folder, 'built'));
  await run('npm', ['pack', join(folder, 'built'), '--pack-destination', folder], { cwd: folder });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const empty = join(folder, 'partner');
  cpSync(join(folder, tarball), join(empty, 'linter.tgz'));
  writeFileSync(join(empty, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './linter.tgz'], { cwd: empty });
  server = createServer(({ url }, response) => {
    const sandbox = { program_id: PROGRAM_ID, rpc_url: null };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/clusters.json' ? { sandbox } : { version: 'another' }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 300_000);

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the installed command as a partner does. @param input the standard input */
function linter(given: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const command = join(folder, 'partner/node_modules/.bin/cosign-policy');
    const child = execFile(command, [...given], { cwd: join(folder, 'partner') }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    // a command that ends at once does not read it
    child.stdin?.on('error', () => undefined).end(input);
  });
}

describe('D-280: the linter, installed from its tarball in an empty folder', () => {
  it('has one dependency: Node', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--json'], { cwd: join(folder, 'partner') });
    expect(Object.keys(JSON.parse(stdout).dependencies)).toEqual(['@fan-api/cosign-policy']);
    expect(JSON.parse(stdout).dependencies['@fan-api/cosign-policy'].dependencies).toBeUndefined();
  });

  it('exits with 0 for what is accepted, says what it did not check, and prints the instruction', async () => {
    const { code, stdout } = await linter([...KNOWN, GOOD.toString('hex')]);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Transaction 0: accepted');
    expect(stdout).toContain('create_listing_v1 price=1500000000');
    expect(stdout).toMatch(/not checked: the chain was not read: .*blockhash_expired/);
  });

  it('exits with 1 for what is refused, with the rule and its fix', async () => {
    const { code, stdout } = await linter([...KNOWN, BAD]);
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED price_zero: a listing has a price above zero');
    expect(stdout).toContain('Fix: Set a price above zero.');
  });

  it('exits with 2 for a wrong call, a missing file, and a URL that does not answer', async () => {
    for (const given of [
      [],
      ['--type', 'sell', '--program', PROGRAM_ID, BAD],
      ['--type', 'list', BAD],
      ['--type', 'list', '--program', 'short', BAD],
      ['--type', 'list', '--program', PROGRAM_ID, '--unknown', BAD],
      ['--type', 'list', '--program', PROGRAM_ID, '--rpc', 'file:///etc/passwd', BAD],
      ['--type', 'list', '--program', PROGRAM_ID, '--file', 'none.txt'],
      ['--type', 'list', '--program', PROGRAM_ID, '--rpc', 'http://127.0.0.1:1/', BAD],
      KNOWN,
    ]) {
      const { code, stdout, stderr } = await linter(given);
      expect({ given, code, stdout }).toEqual({ given, code: 2, stdout: '' });
      expect(stderr).toMatch(/^cosign-policy: /);
    }
    expect((await linter(['--help'])).stdout).toContain('Usage:');
  });

  it('reads files and the standard input, in hex, base64 and base58, and prints JSON', async () => {
    writeFileSync(join(folder, 'partner/transactions.txt'), `${GOOD.toString('base64')}\n\n${BAD}\n`);
    const file = await linter([...KNOWN, '--json', '--file', 'transactions.txt']);
    const report = JSON.parse(file.stdout);
    expect(file.code).toBe(1);
    expect(report).toMatchObject({ policy_version: POLICY_VERSION, action: 'list', accepted: false });
    // both list the same permit
    const failed = report.transactions.map(({ rules }: { rules: { rule: string; outcome: string }[] }) =>
      rules.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule),
    );
    expect(failed).toEqual([[], ['price_zero', 'repeated_permit']]);
    const input = await linter([...KNOWN, '--json'], encodeBase58(GOOD));
    const [transaction] = JSON.parse(input.stdout).transactions;
    expect(transaction.instructions).toHaveLength(1);
    expect(transaction.rules[1]).toMatchObject({ rule: 'encoding', outcome: 'failed' });
  });

  it('is a function too, whose types a partner’s strict compiler takes without any other', async () => {
    const partner = join(folder, 'partner');
    const program = (action: string) => `
      import { type LintOptions, lint } from '@fan-api/cosign-policy';
      const options: LintOptions = ${JSON.stringify({ action, programId: PROGRAM_ID })};
      const [verdict] = await lint(['${BAD}'], options);
      const failed: string[] = verdict!.rules.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule);
      const names: (string | null)[] = verdict!.instructions.map(({ name }) => name);
      process.stdout.write(JSON.stringify({ accepted: verdict!.accepted, failed, names }));`;
    writeFileSync(join(partner, 'program.mts'), program('list'));
    const compile = (file: string) => {
      const compiler = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
      const types = new URL('../../node_modules/@types', import.meta.url).pathname;
      const strict = '--strict --target es2024 --module nodenext --types node --typeRoots'.split(' ');
      return run(process.execPath, [compiler, ...strict, types, file], { cwd: partner });
    };
    await compile('program.mts');
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: partner });
    expect(JSON.parse(stdout)).toEqual({ accepted: false, failed: ['price_zero'], names: ['create_listing_v1'] });
    writeFileSync(join(partner, 'wrong.mts'), program('sell'));
    await expect(compile('wrong.mts')).rejects.toMatchObject({ stdout: expect.stringContaining('"sell"') });
  });

  it('reads the program of an origin, and warns where that judges by another version', async () => {
    const { code, stdout } = await linter(['--type', 'list', '--origin', origin, GOOD.toString('hex')]);
    expect(code).toBe(0);
    expect(stdout).toContain('judges by policy version another');
    expect((await linter(['--type', 'list', '--origin', origin, '--mode', 'production', BAD])).code).toBe(2);
  });
});
