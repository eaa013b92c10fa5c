import type { IncomingMessage } from 'node:http';

/** The largest request body and WebSocket message, in bytes: a batch of a few hundred transactions. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Reads the body of a request; undefined when it is too long. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
