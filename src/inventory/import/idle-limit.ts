import { ImportStop } from './import-stop.ts';

/**
 * The chunks of a stream, as long as they keep coming. Only waiting for the sender counts, not what is done with a chunk.
 * @throws ImportStop where nothing arrives for `limitMs`, or the stream breaks off
 */
export async function* withIdleLimit<Chunk>(source: AsyncIterable<Chunk>, limitMs: number): AsyncGenerator<Chunk> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await nextWithin(chunks, limitMs);
    if (next.done) return;
    yield next.value;
  }
}

async function nextWithin<Chunk>(chunks: AsyncIterator<Chunk>, limitMs: number): Promise<IteratorResult<Chunk>> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ImportStop(`Nothing arrived for ${limitMs / 1000} seconds.`)), limitMs);
  });
  try {
    return await Promise.race([chunks.next(), idle]);
  } catch (error) {
    throw error instanceof ImportStop ? error : new ImportStop('The connection broke off.', error);
  } finally {
    clearTimeout(timer);
  }
}
