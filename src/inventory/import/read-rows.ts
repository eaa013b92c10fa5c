import type { ImportFormat } from '../../entities/import-run.ts';
import { CsvReader } from './csv-reader.ts';
import type { Line } from './line-splitter.ts';
import type { SourceRow } from './source-row.ts';

/** Reads lines, in their order, as rows. Blank lines and the header of a CSV file are not rows. */
export type RowReader = (lines: readonly Line[]) => SourceRow[];

/** @throws ImportStop of the reader, for a CSV file without a valid header */
export function createRowReader(format: ImportFormat): RowReader {
  const csv = new CsvReader();
  return (lines) => {
    const rows = lines.map(decode).filter(({ text, fault }) => fault !== undefined || text.trim() !== '');
    if (format === 'csv') csv.read(rows);
    else for (const row of rows) if (row.fault === undefined) readJson(row);
    return format === 'csv' ? rows.filter(({ row, fault }) => row !== undefined || fault !== undefined) : rows;
  };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode({ number, bytes, isTooLong }: Line): SourceRow {
  // the cut may have split the last character
  if (isTooLong) return { line: number, text: bytes.toString('latin1'), fault: 'line_too_long' };
  try {
    return { line: number, text: UTF8.decode(bytes) };
  } catch {
    return { line: number, text: bytes.toString('latin1'), fault: 'invalid_utf8' };
  }
}

function readJson(into: SourceRow): void {
  let value: unknown;
  try {
    value = JSON.parse(into.text);
  } catch {
    // handled below, like a value that is not an object
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) into.row = withoutNotes(value);
  else into.fault = 'invalid_json';
}

/** Members that begin with `_` are notes, such as those of exported failures: not part of the row. */
export function withoutNotes(row: object): object {
  const entries = Object.entries(row);
  const kept = entries.filter(([name]) => !name.startsWith('_'));
  return kept.length === entries.length ? row : Object.fromEntries(kept);
}
