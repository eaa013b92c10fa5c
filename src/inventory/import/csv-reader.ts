import { parse } from 'csv-parse/sync';
import { distance } from 'fastest-levenshtein';
import { plainName } from '../parse-row.ts';
import type { SourceRow } from './source-row.ts';
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

/** The separator line of a spreadsheet: `sep=;`. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;
const SEPARATORS: readonly string[] = [',', ';', '\t'];
/** How far a column's name may be from the one that was meant. */
const MOST_SLIPS = 2;

/**
 * CSV (RFC 4180) as spreadsheets and databases write it: with a header; commas, semicolons or tabs between cells. A row is one line: no
 * cell holds a line break, so a quote that is not closed spoils its own line and not the rest of the file. An empty cell is a member that
 * is left out.
 */
export class CsvReader {
  #columns: string[] | undefined;
  #separator: string | undefined;

  /** Sets `row` or `fault` of each; the separator line, the header and blank lines have neither. @throws ImportStop for a bad header */
  read(rows: SourceRow[]): void {
    const readable = rows.filter(({ fault }) => fault === undefined);
    if (this.#columns === undefined) {
      const first = rows.slice(this.#readSeparator(readable, rows[0]) ? 1 : 0)[0];
      if (first === undefined) return;
      this.#readHeader(readable.shift(), first);
    }
    const cells = this.#cellsOf(readable.map(({ text }) => text).join('\n'));
    // a quote that is not closed swallows lines
    if (cells?.length === readable.length) readable.forEach((row, index) => void this.#fill(row, cells[index]));
    else for (const row of readable) this.#fill(row, this.#cellsOf(row.text)?.[0]);
  }

  /** Takes the separator line off, if the file begins with one. */
  #readSeparator(readable: SourceRow[], first: SourceRow | undefined): boolean {
    const separator = SEPARATOR_LINE.exec(first?.text ?? '')?.[1];
    if (this.#separator !== undefined || separator === undefined) return false;
    if (!SEPARATORS.includes(separator)) {
      throw new ImportStop('The first line names another separator than comma, semicolon or tab.');
    }
    this.#separator = separator;
    readable.shift();
    return true;
  }

  #readHeader(header: SourceRow | undefined, first: SourceRow): void {
    if (header === undefined || header !== first) throw new ImportStop('The first line must name the columns.');
    this.#separator ??= mostFrequentIn(header.text);
    const columns = (this.#cellsOf(header.text)?.[0] ?? []).map(plainName);
    // a sheet that was wider once has columns without a name at the end
    while (columns.at(-1) === '') columns.pop();
    const unnamed = columns.indexOf('');
    const unknown = columns.find((name) => !CSV_COLUMNS.includes(name) && !name.startsWith('_'));
    const twice = columns.find((name, at) => columns.indexOf(name) < at);
    if (unnamed !== -1) throw new ImportStop(`The first line has no name for column ${unnamed + 1}.`);
    if (unknown !== undefined) throw new ImportStop(unknownColumn(unknown.slice(0, 60)));
    if (twice !== undefined) throw new ImportStop(`The first line names ${twice} twice.`);
    for (const name of ['kind', 'reference']) {
      if (!columns.includes(name)) throw new ImportStop(`The first line must name the column ${name}.`);
    }
    this.#columns = columns;
  }

  #fill(row: SourceRow, cells: string[] | undefined): void {
    if (cells?.every((cell) => cell.trim() === '')) return;
    const columns = this.#columns ?? [];
    const unnamed = cells?.findIndex((cell, at) => at >= columns.length && cell !== '') ?? -1;
    if (cells === undefined || cells.length < columns.length) row.fault = 'invalid_csv';
    else if (unnamed !== -1) {
      Object.assign(row, { fault: 'invalid_csv', message: `Column ${unnamed + 1} has a value, but no name.` });
    } else {
      const members = columns.map((name, at) => [name, cells[at] ?? ''] as const);
      row.row = Object.fromEntries(members.filter(([name, cell]) => cell !== '' && !name.startsWith('_')));
    }
  }

  #cellsOf(text: string): string[][] | undefined {
    try {
      return parse(text, { delimiter: this.#separator ?? ',', record_delimiter: '\n', relax_column_count: true });
    } catch {
      return undefined;
    }
  }
}

function mostFrequentIn(header: string): string {
  const counted = SEPARATORS.map((separator) => ({ separator, count: header.split(separator).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).separator;
}

function unknownColumn(name: string): string {
  const [nearest] = CSV_COLUMNS.toSorted((a, b) => distance(a, name) - distance(b, name));
  const meant = nearest !== undefined && distance(nearest, name) <= MOST_SLIPS ? ` Is it ${nearest}?` : '';
  return `The first line names an unknown column: ${name}.${meant} To keep a column as a note, begin its name with _.`;
}
