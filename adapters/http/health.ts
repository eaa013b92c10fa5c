import { once } from 'node:events';
import type { Middleware } from 'koa';
import { readChainState } from '../../src/chain/read-chain-state.ts';
import { MODES } from '../../src/entities/mode.ts';
import type { Runtime } from '../../src/runtime.ts';

const CHECK_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process is alive. `/readyz`: it can do its work; 503 names what is missing. A chain on which nothing can
 * be co-signed is named as degraded, with mode and reason, and keeps 200: fans can still sign in and list tickets, and every
 * process has the same problem.
 */
export function healthRoutes(runtime: Runtime): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
      return;
    }
    if (ctx.path !== '/readyz') return next();
    const [missing, degraded] = await Promise.all([failing(runtime, necessary(runtime)), degradedChains(runtime)]);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.body = {
      status: missing.length === 0 ? 'ready' : 'not ready',
      ...(missing.length > 0 && { missing }),
      ...(degraded.length > 0 && { degraded }),
    };
  };
}

type Checks = Record<string, () => Promise<unknown>>;

function necessary({ pool, keys }: Runtime): Checks {
  return { database: () => pool.query('select 1'), keys: () => keys.current() };
}

/** The configured chains on which nothing can be co-signed, as `chain (<mode>): <state>`. */
async function degradedChains({ chains, log }: Runtime): Promise<string[]> {
  const states = await Promise.all(MODES.map(async (mode) => ({ mode, state: await readChainState(chains, mode) })));
  const bad = states.filter(({ state }) => state !== 'ready' && state !== 'not_configured');
  for (const { mode, state } of bad) log.warn({ mode, state }, 'listings can’t be co-signed');
  return bad.map(({ mode, state }) => `chain (${mode}): ${state}`);
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
