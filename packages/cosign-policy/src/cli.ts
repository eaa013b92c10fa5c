/** The linter: `cosign-policy --help`. It is built to one file of plain JavaScript (`build/build-linter.ts`). */
import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { lint } from './lint.ts';
import { asRecord, fetchJson, NodeError } from './node-client.ts';
import { POLICY_VERSION } from './policy-version.ts';
import { isAccepted, reportAsJson, reportAsText } from './print-report.ts';
import { type Arguments, readArguments, USAGE, UsageError } from './read-arguments.ts';

const ACCEPTED = 0;
const REFUSED = 1;
const NOT_JUDGED = 2;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof NodeError)) throw error;
  process.stderr.write(`cosign-policy: ${error.message}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = NOT_JUDGED;
}

async function main(given: readonly string[]): Promise<number> {
  const options = readArguments(given);
  if (options.help || options.version) {
    process.stdout.write(options.help ? USAGE : `policy ${POLICY_VERSION}\n`);
    return ACCEPTED;
  }
  const texts = await readTexts(options);
  const { programId, rpcUrl, warnings } = await readService(options);
  const { action, wallet, authorities } = options;
  const transactions = await lint(texts, { action, programId, wallet, authorities, rpcUrl });
  const report = { action, warnings, transactions };
  process.stdout.write(options.json ? reportAsJson(report) : reportAsText(report));
  return isAccepted(report) ? ACCEPTED : REFUSED;
}

/** Takes the transactions from arguments and files; from the standard input where there are neither. */
async function readTexts({ texts, files }: Arguments): Promise<string[]> {
  const lines = files.flatMap((file) => wordsIn(readText(file)));
  const fromInput = texts.length === 0 && files.length === 0 ? wordsIn(await readAll(process.stdin)) : [];
  const found = [...texts, ...lines, ...fromInput];
  if (found.length === 0) throw new UsageError('there is no transaction to judge');
  return found;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The program and the node of a mode, as the service names them. */
async function readService({ program, origin, mode, rpc }: Arguments) {
  if (origin === undefined) return { programId: program ?? '', rpcUrl: rpc, warnings: [] };
  const cluster = asRecord(asRecord(await fetchJson(new URL('/clusters.json', origin).href))?.[mode]);
  if (typeof cluster?.program_id !== 'string') throw new NodeError(`${origin} has no ticket program for ${mode}`);
  const policy = asRecord(await fetchJson(new URL('/.well-known/cosign-policy', origin).href));
  const isSame = policy?.version === POLICY_VERSION;
  return {
    programId: cluster.program_id,
    rpcUrl: rpc ?? (typeof cluster.rpc_url === 'string' ? cluster.rpc_url : undefined),
    warnings: isSame ? [] : [`${origin} judges by policy version ${String(policy?.version)}: get its linter`],
  };
}
