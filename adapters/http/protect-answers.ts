import type { Config } from '../../src/platform/config/config.ts';
import { serverError } from './dependency.ts';
import type { Handler } from './request-state.ts';

/** One year, as the preload lists of browsers ask for at least. Other hosts of the domain are not ours to decide for. */
const HSTS = 'max-age=31536000';

/** The header fields that every answer of a host has. */
export type ProtectionOf = (host: string) => Record<string, string>;

/**
 * `nosniff` everywhere; HSTS where the address of a surface is https. The host matters only if some addresses are not https: behind
 * a proxy a process may be called by another name.
 * @see RFC 6797 §7.1
 */
export function protection(
  config: Pick<Config, 'apiUrl' | 'authUrl' | 'loginUrl' | 'adminUrl' | 'partnersUrl' | 'docsUrl'>,
): ProtectionOf {
  const urls = [
    config.apiUrl,
    config.authUrl,
    config.loginUrl,
    config.adminUrl,
    config.partnersUrl,
    config.docsUrl,
  ].map((url) => new URL(url));
  const secure = new Set(urls.flatMap(({ protocol, host }) => (protocol === 'https:' ? [host] : [])));
  const allSecure = urls.every(({ protocol }) => protocol === 'https:');
  const plain = { 'X-Content-Type-Options': 'nosniff' };
  const strict = { ...plain, 'Strict-Transport-Security': HSTS };
  return (host) => (allSecure || secure.has(host) ? strict : plain);
}

/**
 * Protects every answer, refuses HTTP/1.1 without a host, and answers errors that no surface has caught:
 * Koa's own answer would have none of these header fields.
 * @see RFC 9112 §3.2
 */
export function protectAnswers(protectionOf: ProtectionOf): Handler {
  return async (ctx, next) => {
    ctx.set(protectionOf(ctx.host));
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') {
      ctx.status = 400;
      ctx.body = 'The header field Host is missing.\n';
      return;
    }
    try {
      await next();
    } catch (error) {
      ctx.app.emit('error', error, ctx);
      if (ctx.headerSent || !ctx.writable) return;
      const { status, message, retryAfter } = isExposed(error) ? error : serverError(error);
      // a handler that writes the answer itself may have failed before it wrote
      ctx.respond = true;
      ctx.status = status;
      ctx.set('Cache-Control', 'no-store');
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
      ctx.body = `${message}\n`;
    }
  };
}

/** A refusal by Koa or one of its packages, whose message is for the caller. */
function isExposed(error: unknown): error is { status: number; message: string; retryAfter?: undefined } {
  return error instanceof Error && 'expose' in error && error.expose === true && 'status' in error;
}
