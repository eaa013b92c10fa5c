import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';

/**
 * Sets `ctx.ip` to the address that the outermost trusted proxy saw, otherwise to the socket's own. Entries left of the
 * trusted proxies' are the client's claim; a header with fewer entries than proxies did not pass through them.
 * @param trustedProxies how many proxies are in front; each appends one entry to `X-Forwarded-For`
 */
export function clientAddress(trustedProxies: number): Middleware {
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
