import type { Context, Middleware } from 'koa';
import { RequestError } from './request-error.ts';

/** The methods that any route may have. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Leaves room for a `state` of 4 KiB with each byte percent-encoded. */
export const URL_LIMIT_BYTES = 16 * 1024;
/** All header fields together. */
const HEADER_LIMIT_BYTES = 16 * 1024;

/**
 * Refuses an unknown method, a URL or header fields that are too long. It runs inside a surface's CORS and error handling,
 * so that the answer has the shape of the surface. Node itself refuses only what is far longer (`client-errors.ts`).
 */
export function checkRequest(): Middleware {
  return (ctx, next) => {
    if (!METHODS.has(ctx.method)) throw new RequestError(501, `The method ${ctx.method} is not known here.`);
    if (ctx.url.length > URL_LIMIT_BYTES) throw new RequestError(414, 'The URL is longer than 16 KiB.');
    if (headerBytes(ctx) > HEADER_LIMIT_BYTES) throw new RequestError(431, 'The header fields are longer than 16 KiB.');
    return next();
  };
}

/** Node gives header fields in latin1: a character is a byte. */
function headerBytes(ctx: Context): number {
  let bytes = 0;
  for (const part of ctx.req.rawHeaders) bytes += part.length;
  return bytes;
}
