import { once } from 'node:events';
import type { Middleware } from 'koa';
import { readPayerSoon } from '../../src/chain/payer.ts';
import { readChainState } from '../../src/chain/watch-chain.ts';
import { readBacklog } from '../../src/inventory/issuing/watch-issuing.ts';
import { checkWritable } from '../../src/platform/database/watch-pool.ts';
import { MODES } from '../../src/platform/mode.ts';
import type { Runtime } from '../../src/runtime.ts';
import { overdueJobs } from '../process/job-health.ts';
import { remembered } from './remembered.ts';

const CHECK_TIMEOUT_MS = 2_000;
const CLOCK_LIMIT_MS = 30_000;
/** How many seconds an answer of the database, and one of a cluster, is reused: more calls cause no more queries. */
const DATABASE_GOOD_FOR = 1;
const CHAIN_GOOD_FOR = 5;

/** Asked every few seconds by proxies: neither traced nor measured. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can do its work; 503 names what is missing. `degraded` names each chain on which
 * nothing can be co-signed, with mode and reason, each payer that is low or empty, and each background job that has not succeeded
 * for long (D-356). The status stays 200: fans can still sign in and list tickets, and every process has the same problem. `waiting`
 * has the number of permits that wait to be issued, and how many seconds the oldest has waited.
 */
export function healthRoutes(runtime: Runtime): Middleware {
  const began = performance.now();
  const readMissing = remembered(runtime, DATABASE_GOOD_FOR, () => failing(runtime, necessary(runtime)));
  const readWaiting = remembered(runtime, DATABASE_GOOD_FOR, () => waitingPermits(runtime));
  const readLate = remembered(runtime, DATABASE_GOOD_FOR, () => lateJobs(runtime, began));
  const readDegraded = remembered(runtime, CHAIN_GOOD_FOR, async () =>
    (await Promise.all([degradedChains(runtime), lowPayers(runtime)])).flat(),
  );
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
      return;
    }
    if (ctx.path !== '/readyz') return next();
    const [missing, degraded, late, waiting] = await Promise.all([
      readMissing(),
      readDegraded(),
      readLate(),
      readWaiting(),
    ]);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.body = {
      status: missing.length === 0 ? 'ready' : 'not ready',
      ...(missing.length > 0 && { missing }),
      ...(degraded.length + late.length > 0 && { degraded: [...degraded, ...late] }),
      ...(Object.keys(waiting).length > 0 && { waiting }),
    };
  };
}

type Checks = Record<string, () => Promise<unknown>>;

function necessary({ pool, keys, clock }: Runtime): Checks {
  return {
    database: () => checkWritable(pool),
    keys: () => keys.current(),
    clock: async () => checkClock(clock.aheadMs()),
  };
}

/** @throws Error where the machine's clock is too wrong: other programs on it sign and log by it */
function checkClock(aheadMs: number): void {
  if (Math.abs(aheadMs) <= CLOCK_LIMIT_MS) return;
  throw new Error(`the clock of this machine is ${Math.round(aheadMs / 1_000)} s ahead of the database's`);
}

/** The configured chains on which nothing can be co-signed, as `chain (<mode>): <state>`. */
async function degradedChains({ chains, log }: Runtime): Promise<string[]> {
  const states = await Promise.all(MODES.map(async (mode) => ({ mode, state: await readChainState(chains, mode) })));
  const bad = states.filter(({ state }) => state !== 'ready' && state !== 'not_configured');
  for (const { mode, state } of bad) log.warn({ mode, state }, 'listings can’t be co-signed');
  return bad.map(({ mode, state }) => `chain (${mode}): ${state}`);
}

/** The modes whose payer is low or empty, as `payer (<mode>): <level>`. `watchIssuing` logs them. */
async function lowPayers(runtime: Runtime): Promise<string[]> {
  const payers = await Promise.all(MODES.map(async (mode) => ({ mode, payer: await readPayerSoon(runtime, mode) })));
  return payers.flatMap(({ mode, payer }) =>
    payer === undefined || payer.level === 'enough'
      ? []
      : [`payer (${mode}): ${payer.level}, lasts for ${payer.permits} permits`],
  );
}

/** The background jobs that are overdue; none where the database does not answer, which another check reports. */
async function lateJobs({ pool }: Runtime, began: number): Promise<string[]> {
  let late: string[] = [];
  const reading = overdueJobs(pool, (performance.now() - began) / 1_000).then((found) => {
    late = found;
  });
  await withTimeout(reading).catch(() => undefined);
  return late;
}

/** The permits that wait, by mode; none where the database does not answer, which another check reports. */
async function waitingPermits(runtime: Runtime): Promise<Record<string, { permits: number; seconds: number }>> {
  const found: Record<string, { permits: number; seconds: number }> = {};
  const modes = MODES.filter((mode) => runtime.chains[mode] !== undefined);
  const reading = modes.map(async (mode) => {
    const { waiting, oldest } = await readBacklog(runtime, mode);
    const seconds = oldest === null ? 0 : Math.max(0, Math.round((runtime.now().getTime() - oldest.getTime()) / 1_000));
    if (waiting > 0) found[mode] = { permits: waiting, seconds };
  });
  await withTimeout(Promise.all(reading)).catch(() => undefined);
  return found;
}

/** Names of the checks that fail. */
async function failing({ log }: Runtime, checks: Checks): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withTimeout(check());
        return [];
      } catch (err) {
        log.warn({ err, check: name }, 'a health check fails');
        return [name];
      }
    }),
  );
  return outcomes.flat();
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  await Promise.race([work, once(timeout, 'abort').then(() => Promise.reject(new Error('no answer in time')))]);
}
