import { readFileSync } from 'node:fs';
import type { ImportFormat } from '../../src/entities/import-run.ts';
import { readWords, UsageError } from './flags.ts';

export const USAGE = `npm run inventory -- import FILE [options]

Sends a file of inventory rows to the service, and waits until they are applied. FILE is - for standard input.

  --format ndjson|csv     taken from the end of the file name if left out
  --url URL               of the console, such as https://admin.example.com; ADMIN_URL if left out
  --token-file FILE       the token of a service account; INVENTORY_TOKEN if left out
  --resume RUN            continues an interrupted run; the file must be the same
  --failures FILE         writes the rows that failed there, as NDJSON

Exit code 0: every row is applied. 1: rows failed, or the run was interrupted. 2: wrong command line, or the service can't be reached.
`;

export interface InventoryFlags {
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

const TOKEN = /^(sv|st)_[\w-]{43}$/;

/** @throws UsageError naming the flag */
export function readInventoryFlags(words: readonly string[], env: NodeJS.ProcessEnv): InventoryFlags {
  const { values, positionals } = readWords(words, OPTIONS, 2);
  const [command, file] = positionals;
  if (command !== 'import') throw new UsageError(`${command ?? ''}: there is no such command\n\n${USAGE}`);
  if (file === undefined) throw new UsageError(`import: needs a file, or - for standard input\n\n${USAGE}`);
  return {
    file: file === '-' ? undefined : file,
    format: formatOf(values.format, file),
    url: values.url,
    token: tokenOf(values['token-file'], env.INVENTORY_TOKEN),
    resume: values.resume,
    failures: values.failures,
  };
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
