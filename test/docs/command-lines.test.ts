import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '@fan-api/cosign-policy/read-arguments';
import { Keypair } from '@solana/web3.js';
import { getVariableValues, Kind, parse, validate } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { readChainFlags } from '../../adapters/commands/chain-flags.ts';
import { readInventoryFlags } from '../../adapters/commands/inventory-flags.ts';
import { documentOf, operationsOf } from '../../adapters/commands/operation-document.ts';
import { readFlags } from '../../adapters/commands/operation-flags.ts';
import { schema } from '../../schema/schema.ts';

/** Every command line of the documentation that begins with `npm run`, `npx` or `node`, as the parser of the command judges it. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'command-lines-'));
afterAll(() => spawnSync('rm', ['-r', folder]));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const keypair = join(folder, 'keypair.json');
const { secretKey, publicKey } = Keypair.generate();
writeFileSync(keypair, JSON.stringify([...secretKey]), { mode: 0o600 });

/** What a reader puts in place of a word. */
const FILLED: Readonly<Record<string, string>> = {
  '<address>': publicKey.toBase58(),
  MODE: 'sandbox',
  FILE: 'rows.ndjson',
  'admin.json': keypair,
  'program.json': keypair,
  '{{origin}}': 'http://127.0.0.1:1',
  FAN_WALLET: publicKey.toBase58(),
};
/** Stands for any command, as in `npm run chain -- <command>`: nothing for a parser. */
const SYNOPSIS = /<(?:command|operation)>|…\]$/;

const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:npm run|npx|node) ./;

/** The command lines of a document: those of its blocks, whole with what follows a backslash, and those within a sentence. */
function linesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|text)?[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, ' ').split('\n'),
  );
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
    span.replaceAll(/\s+/g, ' '),
  );
  return [...blocks, ...spans].map((line) => line.replace(/^\$ /, '').trim()).filter((line) => COMMAND.test(line));
}

/** The words of each command as a shell makes them; nothing is run. One shell for all: a test process is slow to fork. */
function wordsOf(lines: readonly string[]): Map<string, string[]> {
  const filled = lines.map((line) =>
    Object.entries(FILLED).reduce((text, [word, by]) => text.replaceAll(word, by), line),
  );
  for (const [, file = ''] of filled.join('\n').matchAll(/< (\S+)/g)) writeFileSync(join(folder, file), '');
  const shell = ['npm', 'npx', 'node'].map((name) => `${name}() { printf '%s\\0' ${name} "$@" >&3; }`);
  const end = String.raw`printf '\n' >&3`;
  const ran = spawnSync('/bin/sh', ['-c', [...shell, ...filled.flatMap((line) => [line, end])].join('\n')], {
    cwd: folder,
    env: { PATH: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  expect(String(ran.stderr)).toBe('');
  const made = String(ran.output[3]).split('\n').slice(0, -1);
  expect(made).toHaveLength(lines.length);
  return new Map(lines.map((line, index) => [line, made[index]?.split('\0').slice(0, -1) ?? []]));
}

function judgeAdmin([name = '', ...words]: string[]): void {
  const operation = operationsOf(schema).find(({ field }) => field.name === name);
  if (!operation) throw new Error(`${name}: no such operation`);
  const { values, fields } = readFlags(operation, words);
  const document = parse(documentOf(operation, Object.keys(values), fields));
  expect(validate(schema, document)).toEqual([]);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('an operation was built');
  const { errors } = getVariableValues(schema, definition.variableDefinitions ?? [], values);
  expect(errors).toBeUndefined();
}

/** A parser that names the first unknown flag accepts all before it. */
function judgeByRefusal(script: string, words: string[]): void {
  const [, file = ''] = / (\S+\.ts)$/.exec(scripts[script] ?? '') ?? [];
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };
  const given = [join(ROOT, file), ...words, '--judged'];
  const ran = spawnSync(process.execPath, given, { cwd: folder, env, encoding: 'utf8' });
  expect(ran.stderr).toContain('--judged');
}

function judgeTests(words: string[]): void {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT });
  expect(words.filter((word) => !files.some((file) => file.includes(word)))).toEqual([]);
}

const JUDGES: Readonly<Record<string, (words: string[]) => void>> = {
  admin: judgeAdmin,
  chain: readChainFlags,
  inventory: (words) => readInventoryFlags(words, { INVENTORY_TOKEN: `sv_${'a'.repeat(43)}` }),
  audit: (words) => {
    expect(['export', 'verify', 'detach', 'forget']).toContain(words[0]);
    judgeByRefusal('audit', words);
  },
  bench: (words) => judgeByRefusal('bench', words),
  localnet: (words) => judgeByRefusal('localnet', words),
  season: (words) => judgeByRefusal('season', words),
  'program:build': (words) => judgeByRefusal('program:build', words),
  keypair: (words) => expect(words).toEqual([expect.stringMatching(/^[^-]/)]),
  demo: (words) => expect(words.length).toBeLessThan(2),
  'test:slow': judgeTests,
};

function judgeScript(line: string, words: string[]): void {
  const [name, ...rest] = words[0] === '-s' ? words.slice(1) : words;
  // `npm run -s` in a sentence
  if (name === undefined) return;
  const workspace = rest.indexOf('-w');
  if (workspace >= 0) {
    const [, of = ''] = String(rest[workspace + 1]).split('/');
    const own = JSON.parse(
      readFileSync(join(ROOT, 'packages', of, 'package.json'), 'utf8'),
    ) as typeof import('../../package.json');
    expect(Object.keys(own.scripts)).toContain(name);
    return;
  }
  expect(Object.keys(scripts)).toContain(name);
  if (SYNOPSIS.test(line)) return;
  // a bare name stands for the command in a sentence
  if (rest.length === 0) return;
  expect(rest[0]).toBe('--');
  const judge = JUDGES[name];
  if (judge === undefined) throw new Error(`npm run ${name} takes no words: ${rest.join(' ')}`);
  judge(rest.slice(1));
}

function judge(line: string): void {
  const [program, ...words] = SYNOPSIS.test(line) ? line.split(' ') : (WORDS.get(line) ?? []);
  if (program === 'npm') {
    judgeScript(line, words.slice(1));
    return;
  }
  if (program === 'npx' && words[0] === '@fan-api/cosign-policy') {
    readArguments(words.slice(1));
    return;
  }
  const named = program === 'npx' ? words.shift() : program;
  if (named !== 'node') expect(existsSync(join(ROOT, 'node_modules/.bin', String(named)))).toBe(true);
  const file = words.find((word) => word.endsWith('.ts'));
  if (file?.includes('/')) expect(existsSync(join(ROOT, file))).toBe(true);
}

const DOCUMENTS = globSync(
  ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'adapters/public/docs/pages/*.md', 'packages/*/README.md', 'test/**/*.md'],
  { cwd: ROOT, exclude: (name) => basename(String(name)) === 'node_modules' },
);
/** Each once, where it stands first. */
const PLACES = new Map(
  DOCUMENTS.toReversed().flatMap((path) =>
    linesOf(readFileSync(join(ROOT, path), 'utf8')).map((line) => [line, path] as const),
  ),
);
const LINES = [...PLACES].map(([line, path]) => ({ path, line }));

/** Each is refused by its command. */
const REFUSED = [
  'npm run admin -- createServiceAccount --name A --scopes x --days 9 --callsPerMinute 1 --fields "{ value }"',
  'npm run admin -- createServiceAccount --name A --scopes x --days nine --callsPerMinute 1',
  'npm run admin -- noSuchOperation',
  'npm run chain -- costs --mode sandbox --keypair admin.json',
  'npm run inventory -- import season.ndjson --uri https://admin.example.com',
  'npm run audit -- export --into /tmp',
  'npm run bench -- --nothing',
  'npm run migrate -- --now',
  'npm run nothing',
  'npm run test:slow -- test/slow/nothing.test.ts',
  'npx node adapters/nothing.ts',
  'npx @fan-api/cosign-policy --typo list TRANSACTION',
];
const WORDS = wordsOf([...LINES.map(({ line }) => line).filter((line) => !SYNOPSIS.test(line)), ...REFUSED]);

describe('command lines of the documentation', () => {
  it('are found in each kind of document', () => {
    expect(LINES.length).toBeGreaterThan(75);
    const kinds = new Set(DOCUMENTS.map((path) => path.split('/')[0]));
    expect([...kinds]).toEqual(expect.arrayContaining(['README.md', 'docs', 'adapters', 'packages', 'deploy', 'test']));
  });

  it.each(LINES)('$path: $line', ({ line }) => {
    judge(line);
  });

  it.each(REFUSED)('a line that its command refuses is found: %s', (line) => {
    expect(() => judge(line)).toThrow();
  });
});
