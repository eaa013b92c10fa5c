import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';

/**
 * Makes `ctx.ip` the address that the outermost trusted proxy saw, or else the socket's own. Nothing is guessed: what
 * stands left of the trusted proxies' entries is the client's word, and a header with fewer entries than there are
 * proxies came another way.
 * @param trustedProxies how many proxies stand in front, each of which appends one entry to `X-Forwarded-For`
 */
export function knowClientAddress(trustedProxies: number): Middleware {
  return (ctx, next) => {
    ctx.request.ip = forwardedAddress(ctx, trustedProxies) ?? ctx.req.socket.remoteAddress ?? '';
    return next();
  };
}

function forwardedAddress(ctx: Context, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  const entries = ctx.get('x-forwarded-for').split(',');
  const entry = entries.at(-trustedProxies)?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? undefined : address;
}

/** Some proxies append `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  return (
    /^\[(?<v6>[^\]]+)\](?::\d+)?$/.exec(entry)?.groups?.v6 ?? /^(?<v4>[\d.]+):\d+$/.exec(entry)?.groups?.v4 ?? entry
  );
}
