import { readFileSync } from 'node:fs';
import type { ImportFormat } from '../../src/entities/import-run.ts';
import { readWords, UsageError } from './flags.ts';

export const USAGE = `npm run inventory -- import FILE [options]
npm run inventory -- follow --cursor FILE [options]

import sends a file of inventory rows to the service, and waits until they are applied. FILE is - for standard input.

  --format ndjson|csv     taken from the end of the file name if left out
  --url URL               of the console, such as https://admin.example.com; ADMIN_URL if left out
  --token-file FILE       the token of a service account; INVENTORY_TOKEN if left out
  --resume RUN            continues an interrupted run; the file must be the same
  --failures FILE         writes the rows that failed there, as NDJSON

Exit code 0: every row is applied. 1: rows failed, or the run was interrupted. 2: wrong command line, or the service can't be reached.

follow writes every ticket as it is to standard output, and then each ticket that changes, as NDJSON, until SIGTERM.

  --cursor FILE           keeps the place there, once the lines before it are written; without the file it begins with a snapshot
  --event REFERENCE       only the tickets of this event
  --url, --token-file     as above

Exit code 0: it was stopped. 1: nobody reads its output. 2: wrong command line, or the service refuses the token.
`;

/** Of `follow`. */
export interface FollowFlags {
  command: 'follow';
  /** The file that has it. */
  cursor: string;
  event: string | undefined;
  /** Undefined for the configured URL. */
  url: string | undefined;
  token: string;
}

/** Of `import`. */
export interface InventoryFlags {
  command: 'import';
  /** Undefined for standard input. */
  file: string | undefined;
  format: ImportFormat;
  /** Undefined for the configured URL. */
  url: string | undefined;
  token: string;
  resume: string | undefined;
  failures: string | undefined;
}

const OPTIONS = {
  format: { type: 'string' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
  resume: { type: 'string' },
  failures: { type: 'string' },
} as const;

const FOLLOW_OPTIONS = {
  cursor: { type: 'string' },
  event: { type: 'string' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
} as const;

const TOKEN = /^(sv|st)_[\w-]{43}$/;

/** @throws UsageError naming the flag */
export function readInventoryFlags(words: readonly string[], env: NodeJS.ProcessEnv): InventoryFlags | FollowFlags {
  if (words[0] === 'follow') return readFollowFlags(words.slice(1), env);
  const { values, positionals } = readWords(words, OPTIONS, 2);
  const [command, file] = positionals;
  if (command !== 'import') throw new UsageError(`${command ?? ''}: there is no such command\n\n${USAGE}`);
  if (file === undefined) throw new UsageError(`import: needs a file, or - for standard input\n\n${USAGE}`);
  return {
    command,
    file: file === '-' ? undefined : file,
    format: formatOf(values.format, file),
    url: values.url,
    token: tokenOf(values['token-file'], env.INVENTORY_TOKEN),
    resume: values.resume,
    failures: values.failures,
  };
}

function readFollowFlags(words: readonly string[], env: NodeJS.ProcessEnv): FollowFlags {
  const { values } = readWords(words, FOLLOW_OPTIONS, 0);
  const { cursor, event, url } = values;
  if (cursor === undefined) throw new UsageError(`follow: needs --cursor FILE\n\n${USAGE}`);
  return { command: 'follow', cursor, event, url, token: tokenOf(values['token-file'], env.INVENTORY_TOKEN) };
}

function formatOf(given: string | undefined, file: string): ImportFormat {
  if (given === 'ndjson' || given === 'csv') return given;
  if (given !== undefined) throw new UsageError('--format: must be ndjson or csv');
  if (/\.(csv|tsv)$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError('--format: give ndjson or csv, because the file name does not end in either');
}

function tokenOf(file: string | undefined, variable: string | undefined): string {
  const [name, text] = file === undefined ? ['INVENTORY_TOKEN', variable] : ['--token-file', readToken(file)];
  if (text === undefined) throw new UsageError('INVENTORY_TOKEN or --token-file: needed (create one in the console)');
  // never shown, even where it is wrong
  if (!TOKEN.test(text.trim())) throw new UsageError(`${name}: holds no token, which looks like sv_…`);
  return text.trim();
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--token-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
