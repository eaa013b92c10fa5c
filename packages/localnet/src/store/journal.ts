/**
 * The journal: every landed transaction, one JSON line each, in numbered segment files. A line is written before its
 * transaction is answered, so a killed process loses nothing it had acknowledged; `sync` limits what a power cut can lose.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LandedTransaction } from './landed-transaction.ts';

/** Position of a line: `offset` and `length` in bytes. */
export interface JournalPlace {
  segment: number;
  offset: number;
  length: number;
}

export interface Journal {
  append(transaction: LandedTransaction): JournalPlace;
  /** Why the last line could not be written. The VM is then ahead of the journal, and must not continue. */
  failure(): Error | undefined;
  read(place: JournalPlace): LandedTransaction;
  /** Number of the segment being written. */
  segment(): number;
  /** Bytes in the segment being written. */
  size(): number;
  /** Makes appended lines survive a power cut; does nothing if there are none. */
  sync(): void;
  /** Ends the current segment and begins the next. */
  roll(): void;
  /** Deletes the segments up to and with `last`. */
  drop(last: number): void;
  close(): void;
}

/**
 * Opens the journal in `folder`, giving each transaction found to `restore`, oldest first. A last line that was cut off
 * is removed: its transaction was never acknowledged. A damaged line elsewhere ends the reading of its segment.
 */
export function openJournal(
  folder: string,
  restore: (transaction: LandedTransaction, place: JournalPlace) => void,
  warn: (message: string) => void,
): Journal {
  const files = new Map<number, number>();
  const numbers = segmentsIn(folder);
  let current = numbers.at(-1) ?? 1;
  if (numbers.length === 0) numbers.push(current);
  let size = 0;
  let dirty = false;
  let failure: Error | undefined;
  for (const segment of numbers) {
    const file = openSync(segmentPath(folder, segment), 'a+', 0o600);
    files.set(segment, file);
    size = readSegment(segmentPath(folder, segment), segment, restore);
    const found = readFileSync(segmentPath(folder, segment)).length;
    if (found === size) continue;
    warn(`localnet: dropped ${found - size} unreadable bytes at the end of ${segmentPath(folder, segment)}`);
    ftruncateSync(file, size);
  }

  function fileOf(segment: number): number {
    const file = files.get(segment);
    if (file === undefined) throw new Error(`journal segment ${segment} is not open`);
    return file;
  }

  function sync(): void {
    if (!dirty) return;
    fdatasyncSync(fileOf(current));
    dirty = false;
  }

  return {
    append(transaction) {
      const line = Buffer.from(`${JSON.stringify(transaction)}\n`);
      const place = { segment: current, offset: size, length: line.length };
      try {
        for (let written = 0; written < line.length; ) written += writeSync(fileOf(current), line, written);
      } catch (cause) {
        failure = new Error(`the journal in ${folder} cannot be written`, { cause });
        throw failure;
      }
      size += line.length;
      dirty = true;
      return place;
    },
    failure: () => failure,
    read({ segment, offset, length }) {
      const line = Buffer.alloc(length);
      readSync(fileOf(segment), line, 0, length, offset);
      return JSON.parse(line.toString()) as LandedTransaction;
    },
    segment: () => current,
    size: () => size,
    sync,
    roll() {
      sync();
      current += 1;
      size = 0;
      files.set(current, openSync(segmentPath(folder, current), 'a+', 0o600));
    },
    drop(last) {
      for (const [segment, file] of files) {
        if (segment > last || segment === current) continue;
        closeSync(file);
        files.delete(segment);
        rmSync(segmentPath(folder, segment));
      }
    },
    close() {
      sync();
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}

/** @returns the number of bytes that were readable. */
function readSegment(
  path: string,
  segment: number,
  restore: (transaction: LandedTransaction, place: JournalPlace) => void,
): number {
  const bytes = readFileSync(path);
  let offset = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, offset)) {
    const transaction = parseLine(bytes.toString('utf8', offset, end));
    if (!transaction) break;
    restore(transaction, { segment, offset, length: end + 1 - offset });
    offset = end + 1;
  }
  return offset;
}

function parseLine(line: string): LandedTransaction | undefined {
  try {
    return JSON.parse(line) as LandedTransaction;
  } catch {
    return undefined;
  }
}

function segmentsIn(folder: string): number[] {
  const matches = readdirSync(folder).map((name) => /^transactions-(\d+)\.jsonl$/.exec(name));
  return matches.flatMap((match) => (match ? [Number(match[1])] : [])).sort((a, b) => a - b);
}

function segmentPath(folder: string, segment: number): string {
  return join(folder, `transactions-${String(segment).padStart(6, '0')}.jsonl`);
}
