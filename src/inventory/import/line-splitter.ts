/** The longest line; a row has a few hundred bytes. */
export const MAX_LINE_BYTES = 16 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Line {
  /** From 1. */
  number: number;
  /** Without its end. Of a line that is too long, the beginning. */
  bytes: Buffer;
  isTooLong: boolean;
}

/** Cuts a stream of bytes into lines, and holds one chunk and one line at most. */
export class LineSplitter {
  #number = 0;
  #rest: Buffer = Buffer.alloc(0);
  #isTooLong = false;

  /** The lines that end in a chunk. */
  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
      this.#keep(bytes.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
    return lines;
  }

  /** The last line, where the stream ends without a line break. */
  end(): Line[] {
    return this.#rest.length === 0 ? [] : [this.#take()];
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#isTooLong) return;
    this.#isTooLong = this.#rest.length + part.length > MAX_LINE_BYTES;
    const room = part.subarray(0, MAX_LINE_BYTES - this.#rest.length);
    this.#rest = this.#rest.length === 0 ? room : Buffer.concat([this.#rest, room]);
  }

  #take(): Line {
    this.#number += 1;
    let bytes = this.#rest;
    if (bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    if (this.#number === 1 && bytes.subarray(0, 3).equals(BOM)) bytes = bytes.subarray(3);
    const line = { number: this.#number, bytes, isTooLong: this.#isTooLong };
    this.#rest = Buffer.alloc(0);
    this.#isTooLong = false;
    return line;
  }
}
