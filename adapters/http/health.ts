import type { Middleware } from 'koa';
import { MODES } from '../../src/entities/mode.ts';
import type { Runtime } from '../../src/runtime.ts';

/** How long a dependency may take to say that it is there. */
const PATIENCE_MS = 2_000;

/**
 * `/healthz`: the process is alive. `/readyz`: it can do its work; 503 names what is missing. Without its Solana cluster
 * it still signs fans in and lists tickets, and every process would lose it at the same moment, so that is told as
 * degraded and takes nobody out of service.
 */
export function healthRoutes(runtime: Runtime): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
      return;
    }
    if (ctx.path !== '/readyz') return next();
    const [missing, degraded] = await Promise.all([
      failing(runtime, necessary(runtime)),
      failing(runtime, clusters(runtime)),
    ]);
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

function clusters({ chains }: Runtime): Checks {
  const connected = MODES.flatMap((mode) => {
    const chain = chains[mode];
    return chain === undefined ? [] : [[`chain (${mode})`, () => chain.gateway.latestBlockhash()] as const];
  });
  return Object.fromEntries(connected);
}

/** Names of the checks that fail. */
async function failing({ log }: Runtime, checks: Checks): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withinPatience(check());
        return [];
      } catch (err) {
        log.warn({ err, check: name }, 'a health check fails');
        return [name];
      }
    }),
  );
  return outcomes.flat();
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
