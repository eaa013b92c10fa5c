import { parse } from 'csv-parse/sync';
import type { SourceRow } from './read-rows.ts';
import { ImportStop } from './try-again.ts';

/** The columns that a file may have, in any order. */
export const CSV_COLUMNS: readonly string[] = [
  'kind',
  'reference',
  'event',
  'ticket_type',
  'name',
  'venue',
  'starts_at',
  'ends_at',
  'time_zone',
  'holder_phone',
  'holder_fan_id',
  'purchased_at',
  'status',
  'tix_event_id',
  'tix_permit_id',
  'updated_at',
];

/**
 * CSV (RFC 4180) with a header, comma or semicolon between cells. A row is one line: no cell holds a line break, so a quote that
 * is not closed spoils its own line and not the rest of the file. An empty cell is a member that is left out.
 */
export class CsvReader {
  #columns: string[] | undefined;
  #delimiter = ',';

  /** Sets `row` or `fault` of each; the header has neither. @throws ImportStop for a bad header */
  read(rows: SourceRow[]): void {
    const readable = rows.filter(({ fault }) => fault === undefined);
    if (this.#columns === undefined && rows.length > 0) this.#readHeader(readable.shift(), rows[0]);
    const cells = this.#cellsOf(readable.map(({ text }) => text).join('\n'));
    // a quote that is not closed swallows lines
    if (cells?.length === readable.length) readable.forEach((row, index) => void this.#fill(row, cells[index]));
    else for (const row of readable) this.#fill(row, this.#cellsOf(row.text)?.[0]);
  }

  #readHeader(header: SourceRow | undefined, first: SourceRow | undefined): void {
    if (header === undefined || header !== first) throw new ImportStop('The first line must name the columns.');
    this.#delimiter = header.text.includes(';') && !header.text.includes(',') ? ';' : ',';
    const columns = (this.#cellsOf(header.text)?.[0] ?? []).map((name) => name.trim().toLowerCase());
    const unknown = columns.find((name) => !CSV_COLUMNS.includes(name) && !name.startsWith('_'));
    const twice = columns.find((name, at) => columns.indexOf(name) < at);
    if (unknown !== undefined) throw new ImportStop(`The first line names an unknown column: ${unknown.slice(0, 60)}.`);
    if (twice !== undefined) throw new ImportStop(`The first line names ${twice} twice.`);
    for (const name of ['kind', 'reference']) {
      if (!columns.includes(name)) throw new ImportStop(`The first line must name the column ${name}.`);
    }
    this.#columns = columns;
  }

  #fill(row: SourceRow, cells: string[] | undefined): void {
    const columns = this.#columns ?? [];
    if (cells?.length !== columns.length) row.fault = 'invalid_csv';
    else {
      const members = columns.map((name, at) => [name, cells[at] ?? ''] as const);
      row.row = Object.fromEntries(members.filter(([name, cell]) => cell !== '' && !name.startsWith('_')));
    }
  }

  #cellsOf(text: string): string[][] | undefined {
    try {
      return parse(text, { delimiter: this.#delimiter, record_delimiter: '\n', relax_column_count: true });
    } catch {
      return undefined;
    }
  }
}
