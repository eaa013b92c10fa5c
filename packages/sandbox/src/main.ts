#!/usr/bin/env node
import { fstatSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { OptionError, readOptions, USAGE } from './read-options.ts';

/**
 * `fan-api-sandbox`: starts a sandbox and prints what a test needs. It ends on SIGTERM and SIGINT, when its parent ends, and when its
 * standard input is a pipe that closes.
 */
const PARENT_CHECK_MS = 500;
const LEAST_NODE = 24;

const options = read();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
module.enableCompileCache(fileURLToPath(new URL('../.compiled', import.meta.url)));
process.title = 'fan-api-sandbox';
const opening = open();
let stopping: Promise<void> | undefined;

endWithParent();
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`);
  void stop(1);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
try {
  const sandbox = await opening;
  const { screenOf } = await import('./describe-sandbox.ts');
  process.stdout.write(options.json ? `${JSON.stringify(sandbox.description)}\n` : screenOf(sandbox.description));
  module.flushCompileCache();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function read() {
  try {
    if (Number.parseInt(process.versions.node, 10) < LEAST_NODE)
      throw new OptionError(`fan-api-sandbox needs Node ${LEAST_NODE} or newer; this is ${process.version}.`);
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** PostgreSQL and the network start while the service is loaded, which takes as long. */
async function open() {
  const { beginParts } = await import('./begin-parts.ts');
  const parts = await beginParts(options);
  const { openSandbox } = await import('./open-sandbox.ts');
  return openSandbox(options, parts);
}

function stop(code = 0): Promise<void> {
  stopping ??= opening
    .then((sandbox) => sandbox.stop())
    .then(
      () => process.exit(code),
      () => process.exit(1),
    );
  return stopping;
}

/** A killed parent sends no signal: its pipe closes, and this process gets another parent. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void stop(), PARENT_CHECK_MS).unref();
  const input = fstatSync(0);
  if (!options.json || !(input.isFIFO() || input.isSocket())) return;
  process.stdin.on('close', () => void stop()).resume();
}
