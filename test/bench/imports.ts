/**
 * `npm run bench:import`: imports of 10,000, 100,000 and 1,000,000 tickets through the real server, each into a database of its own,
 * with fans who sign in and apps that read tickets before and meanwhile.
 *
 *   npm run bench:import -- --rows 10000                  one size; may be given several times
 *   npm run bench:import -- --rows 10000 --profile DIR    also writes a CPU profile of the server there
 */
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sendInventory } from '../../adapters/commands/send-inventory.ts';
import { openRuntime } from '../../adapters/runtime.ts';
import { createContext } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { createServiceAccount } from '../../src/staff/service-accounts.ts';
import { type ChildServer, SERVER_LOG, startChildServer } from './child-server.ts';
import { callEveryday, type Latencies } from './everyday-calls.ts';
import { percentile } from './percentile.ts';
import { writeSeason } from './season-file.ts';
import { obtainAccessTokens } from './stage/obtain-access-tokens.ts';

const ENV = {
  PRODUCTION_PROGRAM_ID: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  VERIFICATION_PHONE_LIMIT: '1000000',
  VERIFICATION_RANGE_LIMIT: '1000000',
  VERIFICATION_ADDRESS_LIMIT: '1000000',
  VERIFICATION_BREAKER_PERCENT: '0',
};
const WARM_UP_MS = 5_000;
const BEFORE_MS = 20_000;

interface Measured {
  rows: number;
  seconds: number;
  /** MB of the server: before, and the least and most of each quarter of the import. */
  memory: { before: number; quarters: number[] };
  before: Latencies;
  during: Latencies;
}

const { values } = parseArgs({ options: { rows: { type: 'string', multiple: true }, profile: { type: 'string' } } });
console.log(
  '    tickets      rows/s    seconds  memory MB: before, most of each quarter   p99 ms before > during: tickets, sign-in step',
);
for (const rows of values.rows ?? ['10000', '100000', '1000000']) print(await measureFresh(Number(rows)));

async function measureFresh(tickets: number): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-import-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(dataDir, 0o755);
  const file = join(dataDir, 'season.ndjson');
  const rows = await writeSeason(file, tickets);
  const nodeArguments = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(values.profile)}`];
  const server = await startChildServer(dataDir, { env: ENV, nodeArguments });
  try {
    return await measure(server, dataDir, file, rows);
  } catch (error) {
    const log = await readFile(join(dataDir, SERVER_LOG), 'utf8');
    console.error(
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .slice(-3)
        .join('\n'),
    );
    throw error;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure({ config, pid }: ChildServer, dataDir: string, file: string, rows: number): Promise<Measured> {
  const kit = JSON.parse(await readFile(join(dataDir, 'starter-kit.json'), 'utf8')) as StarterKit;
  const opened = await openRuntime({ ...config, logLevel: 'silent' }, { share: true });
  const context = createContext(opened.runtime, null);
  const wish = { name: 'Bench', scopes: ['inventory:write'], days: 1, callsPerMinute: 100 };
  const { value: token } = await createServiceAccount(context, wish, 'system');
  const [accessToken = ''] = await obtainAccessTokens(context, kit, 1);
  const everyday = callEveryday(config, kit, accessToken);
  const memory: number[] = [];
  const watch = setInterval(() => void residentMegabytes(pid).then((each) => memory.push(each)), 500);
  try {
    await sleep(WARM_UP_MS);
    everyday.take();
    await sleep(BEFORE_MS);
    const before = everyday.take();
    const memoryBefore = memory.splice(0).at(-1) ?? Number.NaN;
    const startedAt = performance.now();
    const content = createReadStream(file);
    const sent = { content, format: 'ndjson', name: 'season.ndjson', resume: undefined } as const;
    const last = await sendInventory(config.adminUrl, token, sent, () => {});
    const seconds = (performance.now() - startedAt) / 1000;
    const during = everyday.take();
    if (last.created !== rows) throw new Error(`of ${rows} rows: ${JSON.stringify(last)}`);
    const quarter = Math.max(1, Math.ceil(memory.length / 4));
    const quarters = [0, 1, 2, 3].map((at) => Math.max(...memory.slice(at * quarter, (at + 1) * quarter)));
    await everyday.stop();
    return { rows, seconds, memory: { before: memoryBefore, quarters }, before, during };
  } finally {
    clearInterval(watch);
    await opened.close();
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function print({ rows, seconds, memory, before, during }: Measured): void {
  const change = (of: keyof Latencies) =>
    `${percentile(before[of], 99).toFixed(0)} > ${percentile(during[of], 99).toFixed(0)}`;
  console.log(
    [
      rows.toLocaleString('en').padStart(11),
      (rows / seconds).toFixed(0).padStart(11),
      seconds.toFixed(0).padStart(10),
      `${memory.before.toFixed(0)}, ${memory.quarters.map((each) => each.toFixed(0)).join(' ')}`.padStart(39),
      `${change('tickets')}, ${change('signIn')}`.padStart(40),
    ].join(''),
  );
}
