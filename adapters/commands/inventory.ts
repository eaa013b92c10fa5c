import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { ImportProgress } from '../consoles/admin/import-endpoint.ts';
import { UsageError } from './flags.ts';
import { followFeed } from './follow-feed.ts';
import { type InventoryFlags, readInventoryFlags, USAGE } from './inventory-flags.ts';
import { runCommand } from './run-command.ts';
import { fetchFailures, sendInventory } from './send-inventory.ts';

/**
 * `npm run inventory -- import FILE`: sends a file of inventory rows to a service, on this machine or elsewhere. Progress is on
 * standard error, the summary on standard output. `follow` prints what becomes of the tickets.
 */
const words = process.argv.slice(2);
if (words.length === 0 || words.includes('--help')) process.stdout.write(USAGE);
else
  await runCommand(async () => {
    const flags = readInventoryFlags(words, process.env);
    return flags.command === 'import' ? run(flags) : followFeed(addressOf(flags.url), flags);
  });

async function run(flags: InventoryFlags): Promise<number> {
  const { token, format, resume } = flags;
  const adminUrl = addressOf(flags.url);
  const content = await openFile(flags.file);
  const name = flags.file === undefined ? undefined : basename(flags.file).slice(0, 200);
  const last = await sendInventory(adminUrl, token, { content, format, name, resume }, showProgress());
  if (process.stderr.isTTY) process.stderr.write('\n');
  process.stdout.write(describe(last));
  if (flags.failures !== undefined && last.failed > 0) {
    const { body } = await fetchFailures(adminUrl, token, last.run);
    if (body) await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(flags.failures));
    process.stderr.write(`The rows that failed are in ${flags.failures}.\n`);
  }
  return last.state === 'finished' && last.failed === 0 ? 0 : 1;
}

function addressOf(url: string | undefined): string {
  // the rest of this machine's configuration does not matter for a call to another one
  if (url === undefined) return readConfig({ ADMIN_URL: process.env.ADMIN_URL, PORT: process.env.PORT }).adminUrl;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new UsageError('--url: must be an http or https address');
  return url.replace(/\/+$/, '');
}

async function openFile(file: string | undefined): Promise<Readable> {
  if (file === undefined) return process.stdin;
  const content = createReadStream(file);
  try {
    await once(content, 'open');
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  return content;
}

/** Overwrites one line on a terminal; in a log, writes a line every ten seconds. */
function showProgress(): (progress: ImportProgress) => void {
  const startedAt = performance.now();
  let shownAt = startedAt;
  return ({ run, lines, failed, state }) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const text = `${run}: ${lines.toLocaleString('en')} lines, ${failed.toLocaleString('en')} failed, ${seconds.toFixed(0)} s`;
    if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
    else if (state === 'running' && (lines === 0 || performance.now() - shownAt > 10_000)) {
      process.stderr.write(`${text}\n`);
      shownAt = performance.now();
    }
  };
}

function describe({ run, state, lines, created, updated, unchanged, stale, failed, message }: ImportProgress): string {
  const rows = { created, updated, unchanged, stale, failed };
  const counts = Object.entries(rows).map(
    ([outcome, count]) => `  ${outcome.padEnd(10)}${count.toLocaleString('en').padStart(12)}`,
  );
  const end =
    state === 'finished'
      ? []
      : [message ?? 'The connection broke off.', `Continue with the same file and --resume ${run}`];
  return `${[`Run ${run}: ${state === 'running' ? 'interrupted' : state}, ${lines.toLocaleString('en')} lines`, ...counts, ...end].join('\n')}\n`;
}
