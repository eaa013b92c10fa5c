import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { portlessLoopback } from '../../src/partners/redirect-uri.ts';
import { prepared } from '../../src/platform/database/prepared.ts';
import type { Runtime } from '../../src/runtime.ts';

const HEADERS = {
  // those of the protocols, and those by which partners trace their calls
  allowHeaders: ['Authorization', 'Content-Type', 'Prefer', 'traceparent', 'tracestate', 'X-Request-Id'],
  exposeHeaders: [
    'X-Request-Id',
    'X-Error-Code',
    'WWW-Authenticate',
    'Retry-After',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Link',
    'Preference-Applied',
  ],
  maxAge: 600,
};
/** How long a newly registered origin may be refused. */
const REMEMBERED_MS = 10_000;

/** $2 is the origin without its port, for clients with `loopbackAnyPort`. @see RFC 8252 §7.3 */
const findOrigin = prepared(`
  select 1 from client where cors_origins @> array[$1::text]
  union all
  select 1 from client where $2::text is not null and loopback_any_port
    and exists (select 1 from unnest(cors_origins) own where own = $2 or starts_with(own, $2 || ':'))
  limit 1`);

/** CORS for the endpoints that browser partners call: the origins of registered redirect URIs. Never with credentials. */
export function partnerCors({ pool }: Pick<Runtime, 'pool'>, methods: string[]): Middleware {
  const known = new LRUCache<string, { allowed: boolean }>({ max: 10_000, ttl: REMEMBERED_MS });
  return cors({
    async origin(ctx) {
      const origin = ctx.get('Origin');
      if (origin === '') return '';
      const remembered = known.get(origin, { allowStale: true, noDeleteOnStaleGet: true });
      if (remembered && known.getRemainingTTL(origin) > 0) return remembered.allowed ? origin : '';
      const found = await findOrigin(pool, [origin, portlessLoopback(origin) ?? null]).catch(() => undefined);
      // the database is down: the handler answers 503, which an origin that was allowed a moment ago may read
      if (found === undefined) return remembered?.allowed ? origin : '';
      known.set(origin, { allowed: found.length > 0 });
      return found.length > 0 ? origin : '';
    },
    allowMethods: methods,
    ...HEADERS,
  });
}

/** CORS for public documents: any origin. */
export function publicCors(): Middleware {
  return cors({ origin: '*', allowMethods: ['GET'], ...HEADERS });
}
