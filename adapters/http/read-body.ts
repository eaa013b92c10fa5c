import type { Context } from 'koa';
import getRawBody from 'raw-body';

/** Largest request body that any endpoint takes. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** Why a body could not be read. */
export class BodyError extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.name = 'BodyError';
    this.status = status;
  }
}

/**
 * Reads a body of one content type as text.
 * @throws BodyError 415 for another type, 413 over 64 KiB, 400 where the body broke off or is no UTF-8
 */
export async function readBody(ctx: Context, contentType: string): Promise<string> {
  if (!ctx.is(contentType)) throw new BodyError(415, `Content-Type must be ${contentType}.`);
  let bytes: Buffer;
  try {
    bytes = await getRawBody(ctx.req, { limit: BODY_LIMIT_BYTES, length: ctx.get('content-length') || undefined });
  } catch (error) {
    const tooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    throw tooLarge ? new BodyError(413, 'The body is larger than 64 KiB.') : new BodyError(400, 'The body broke off.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError(400, 'The body is not valid UTF-8.');
  }
}

/**
 * Reads a JSON body.
 * @throws BodyError of `readBody`, or 400 where the text is no JSON
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const text = await readBody(ctx, 'application/json');
  try {
    return JSON.parse(text);
  } catch {
    throw new BodyError(400, 'The body is not valid JSON.');
  }
}
