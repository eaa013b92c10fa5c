import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { RequestError } from './request-error.ts';

/** Largest request body of an endpoint, unless the endpoint has its own limit. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * Reads a body of one content type as text.
 * @throws RequestError 415 for another type or a content coding, 413 over the limit, 400 where it is cut off or not UTF-8
 */
export async function readBody(ctx: Context, contentType: string, limit = BODY_LIMIT_BYTES): Promise<string> {
  if (!ctx.is(contentType)) throw new RequestError(415, `Content-Type must be ${contentType}.`);
  refuseCoding(ctx);
  let bytes: Buffer;
  try {
    bytes = await getRawBody(ctx.req, { limit, length: ctx.get('content-length') || null });
  } catch (error) {
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    if (tooLarge) throw new RequestError(413, `The body is larger than ${limit / 1024} KiB.`);
    throw new RequestError(400, 'The body broke off.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError(400, 'The body is not valid UTF-8.');
  }
}

/**
 * Refuses a compressed body, because a small one may unpack to a large one.
 * @throws RequestError 415
 * @see RFC 9110 §8.4, §15.5.16
 */
export function refuseCoding(ctx: Context): void {
  const coding = ctx.get('Content-Encoding').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return;
  ctx.set('Accept-Encoding', 'identity');
  throw new RequestError(415, 'Content-Encoding is not supported: send the body as it is.');
}

/** Reads a JSON body. @throws RequestError of `readBody`, or 400 where it is not JSON */
export async function readJson(ctx: Context): Promise<unknown> {
  const text = await readBody(ctx, 'application/json');
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'The body is not valid JSON.');
  }
}
