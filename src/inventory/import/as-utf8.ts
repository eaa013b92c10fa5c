import { ImportStop } from './try-again.ts';

/** The names of UTF-16 by the first two bytes of a file, its byte order mark. */
const MARKS: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/**
 * The chunks of a file in UTF-8: one in UTF-16 that begins with its mark, as the "Unicode text" of a spreadsheet does, is converted.
 * @throws ImportStop where a file in UTF-16 is not valid
 */
export async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let begun: Buffer | undefined = Buffer.alloc(0);
  for await (const given of source) {
    let chunk: Uint8Array = given;
    if (begun !== undefined) {
      begun = Buffer.concat([begun, given]);
      if (begun.length < 2) continue;
      const encoding = MARKS[begun.toString('hex', 0, 2)];
      if (encoding !== undefined) decoder = new TextDecoder(encoding, { fatal: true });
      chunk = begun;
      begun = undefined;
    }
    yield decoder === undefined ? chunk : decode(decoder, chunk);
  }
  if (begun !== undefined) yield begun;
  if (decoder !== undefined) yield decode(decoder);
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): Uint8Array {
  try {
    return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
  } catch (error) {
    throw new ImportStop('The file is not valid UTF-16.', error);
  }
}
