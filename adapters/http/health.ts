import type { Middleware } from 'koa';
import type { Runtime } from '../../src/context.ts';

/** How long a dependency may take to say that it is there. */
const PATIENCE_MS = 2_000;

/** `/healthz`: the process is alive. `/readyz`: it can do its work (database, keys); 503 names what is missing. */
export function healthRoutes({ pool, keys, log }: Pick<Runtime, 'pool' | 'keys' | 'log'>): Middleware {
  const checks = { database: () => pool.query('select 1'), keys: () => keys.current() };
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
      return;
    }
    if (ctx.path !== '/readyz') return next();
    const failing = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withinPatience(check());
          return undefined;
        } catch (err) {
          log.warn({ err, check: name }, 'not ready');
          return name;
        }
      }),
    );
    const missing = failing.filter((name) => name !== undefined);
    ctx.status = missing.length === 0 ? 200 : 503;
    ctx.body = missing.length === 0 ? { status: 'ready' } : { status: 'not ready', missing };
  };
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
