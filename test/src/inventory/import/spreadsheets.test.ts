import { describe, expect, it } from 'vitest';
import { asUtf8 } from '../../../../src/inventory/import/as-utf8.ts';
import { LineSplitter } from '../../../../src/inventory/import/line-splitter.ts';
import { createRowReader } from '../../../../src/inventory/import/read-rows.ts';
import type { SourceRow } from '../../../../src/inventory/import/source-row.ts';
import { parseRow } from '../../../../src/inventory/parse-row.ts';

/** Files as organisers send them: what each is read as. */

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a file as an import does, in pieces and a line at a time. */
async function read(file: string | Buffer, format: 'csv' | 'ndjson' = 'csv', size = 7): Promise<SourceRow[]> {
  const splitter = new LineSplitter();
  const reader = createRowReader(format);
  const rows: SourceRow[] = [];
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  for await (const chunk of asUtf8(inPieces(bytes, size))) {
    for (const line of splitter.push(chunk)) rows.push(...reader([line]));
  }
  rows.push(...reader(splitter.end()));
  return rows;
}

/** What becomes of each row: its members apart from its kind and names, or the fault. */
async function outcomes(file: string | Buffer, format?: 'csv' | 'ndjson'): Promise<unknown[]> {
  return (await read(file, format)).map(({ row, fault, message }) => {
    if (fault !== undefined) return message ?? fault;
    const parsed = parseRow(row);
    return parsed.fault?.message ?? parsed.row;
  });
}

const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

const TICKET = { kind: 'ticket', reference: 't1', event: 'e1', ticket_type: 'st' };
const HEADER = 'kind,reference,event,ticket_type,status';
const row = (...more: string[]) => ['ticket', 't1', 'e1', 'st', ...more];
/** A header and a row with a separator. */
const sheet = (separator: string, lines: string[][] = [HEADER.split(','), row('valid')]) =>
  lines.map((cells) => cells.join(separator)).join('\n');
const VALID = { ...TICKET, status: 'valid' };

describe('a file is read', () => {
  const FILES: [what: string, file: string | Buffer, rows: unknown[]][] = [
    ['with commas', sheet(','), [VALID]],
    ['with semicolons', sheet(';'), [VALID]],
    ['with tabs', sheet('\t'), [VALID]],
    ['with its separator on the first line: sep=;', `sep=;\n${sheet(';')}`, [VALID]],
    ['with sep=,', `sep=,\n${sheet(',')}`, [VALID]],
    ['with sep= and a tab', `sep=\t\n${sheet('\t')}`, [VALID]],
    ['with "sep=;" in quotes', `"sep=;"\n${sheet(';')}`, [VALID]],
    ['with SEP=;', `SEP=;\n${sheet(';')}`, [VALID]],
    ['with sep=; after a byte order mark', `\ufeffsep=;\n${sheet(';')}`, [VALID]],
    ['with sep=; and CRLF', `sep=;\r\n${sheet(';').replaceAll('\n', '\r\n')}\r\n`, [VALID]],
    [
      'with a separator that its header does not show',
      'sep=;\nkind;reference;_a,b,c,d\nevent;e1;x',
      ['name is missing.'],
    ],
    ['with a byte order mark', `\ufeff${sheet(',')}`, [VALID]],
    ['in UTF-16, little end first', utf16(sheet('\t'), 'le'), [VALID]],
    ['in UTF-16, big end first', utf16(sheet('\t'), 'be'), [VALID]],
    ['in UTF-16 with semicolons and CRLF', utf16(sheet(';').replaceAll('\n', '\r\n'), 'le'), [VALID]],
    [
      'in UTF-16 with letters of two units',
      utf16(`${sheet('\t')}\nticket\t😀\te1\tst\t\n`, 'be'),
      [VALID, { ...TICKET, reference: '😀' }],
    ],
    ['with columns at the end that have no name', `${HEADER},,,\nticket,t1,e1,st,valid,,,`, [VALID]],
    ['with rows that are longer by empty cells', `${HEADER}\nticket,t1,e1,st,valid,,,,`, [VALID]],
    ['with rows that lack the columns without a name', `${HEADER},,\nticket,t1,e1,st,valid`, [VALID]],
    ['with lines of separators only', `${sheet(';')}\n;;;;\n;;;;;;;\n\n`, [VALID]],
    ['with lines of separators and spaces', `${sheet(';')}\n ; ; ;;\n`, [VALID]],
    ['with lines of tabs only', `${sheet('\t')}\n\t\t\t\t\n`, [VALID]],
    ['with its header in capitals', sheet(',').replace(HEADER, HEADER.toUpperCase()), [VALID]],
    ['with spaces in its header', sheet(',').replace(HEADER, 'Kind,Reference,Event,Ticket Type,Status'), [VALID]],
    ['with hyphens in its header', sheet(',').replace(HEADER, 'kind,reference,event,ticket-type,status'), [VALID]],
    [
      'with spaces around its names',
      sheet(',').replace(HEADER, ' kind , reference , event , ticket_type , status '),
      [VALID],
    ],
    [
      'with its names in quotes',
      sheet(',').replace(HEADER, '"kind","reference","event","ticket_type","status"'),
      [VALID],
    ],
    [
      'with notes in columns of any name',
      `_Preis; brutto,kind,reference,event,ticket_type\n"12,5",ticket,t1,e1,st`,
      [TICKET],
    ],
    ['with Ticket for the kind', `${HEADER}\nTicket,t1,e1,st,`, [TICKET]],
    ['with TICKET for the kind', `${HEADER}\nTICKET,t1,e1,st,`, [TICKET]],
    ['with VALID', `${HEADER}\n${row('VALID')}`, [VALID]],
    ['with Refunded', `${HEADER}\n${row('Refunded')}`, [{ ...TICKET, status: 'refunded' }]],
    [
      'with a kind of two words',
      'kind,reference,event,name\nTicket type,st,e1,Stalls',
      [{ kind: 'ticket_type', reference: 'st', event: 'e1', name: 'Stalls' }],
    ],
    ['with cells in quotes', `${HEADER}\n"ticket","t1","e1","st","valid"`, [VALID]],
    ['with a doubled quote', `${HEADER}\nticket,"t""1",e1,st,`, [{ ...TICKET, reference: 't"1' }]],
    ['with separators in quotes', `${HEADER}\nticket,"t,1",e1,st,`, [{ ...TICKET, reference: 't,1' }]],
    ['without a line break at its end', sheet(','), [VALID]],
    ['with blank lines between', `${HEADER}\n\n\n${row('valid')}\n\n`, [VALID]],
    ['with its header alone', HEADER, []],
    ['with its separator line and header alone', `sep=;\n${HEADER.replaceAll(',', ';')}\n`, []],
    ['with nothing', '', []],
  ];
  it.each(FILES)('%s', async (_, file, rows) => {
    expect(await outcomes(file)).toEqual(rows);
  });

  it.each([1, 2, 3, 5, 64])('alike in pieces of %i bytes, also in UTF-16', async (size) => {
    const file = utf16(`sep=;\r\n${sheet(';')}\r\n`, 'be');
    expect((await read(file, 'csv', size)).map(({ line, row: read }) => [line, read])).toEqual([[3, VALID]]);
  });
});

describe('a row fails alone', () => {
  const FILES: [what: string, file: string, rows: unknown[]][] = [
    [
      'with a value in a column without a name',
      `${HEADER},,\nticket,t1,e1,st,valid,,x\n${row('valid')}`,
      ['Column 7 has a value, but no name.', VALID],
    ],
    ['with a value beyond the header', `${HEADER}\nticket,t1,e1,st,valid,x`, ['Column 6 has a value, but no name.']],
    ['with too few cells', `${HEADER}\nticket,t1\n${row('valid')}`, ['invalid_csv', VALID]],
    ['with a quote that is not closed', `${HEADER}\nticket,"t1,e1,st,valid\n${row('valid')}`, ['invalid_csv', VALID]],
    [
      'with a value outside of its list',
      `${HEADER}\n${row('paid')}`,
      ['status must be one of: valid, refunded, void, used.'],
    ],
    ['with another kind', `${HEADER}\nseat,t1,e1,st,`, ['kind must be one of: event, ticket_type, ticket.']],
  ];
  it.each(FILES)('%s', async (_, file, rows) => {
    expect(await outcomes(file)).toEqual(rows);
  });
});

describe('a file is refused', () => {
  const NOTE = 'To keep a column as a note, begin its name with _.';
  const FILES: [what: string, file: string | Buffer, message: string][] = [
    ['with an unknown column', 'kind,reference,seat\n', `The first line names an unknown column: seat. ${NOTE}`],
    [
      'with a column that is nearly known',
      'kind,reference,holderphone\n',
      `The first line names an unknown column: holderphone. Is it holder_phone? ${NOTE}`,
    ],
    ['with a column twice', 'kind,reference,Kind\n', 'The first line names kind twice.'],
    ['with a column without a name between others', 'kind,,reference\n', 'The first line has no name for column 2.'],
    ['without a reference', 'kind,event\n', 'The first line must name the column reference.'],
    ['that begins with a row', '{"kind":"event"}\n', 'The first line must name the column kind.'],
    [
      'with another separator',
      'sep=|\nkind|reference\n',
      'The first line names another separator than comma, semicolon or tab.',
    ],
    [
      'with its separator twice',
      `sep=;\nsep=;\n${sheet(';')}`,
      `The first line names an unknown column: sep=. ${NOTE}`,
    ],
    ['in half of UTF-16', utf16(sheet('\t'), 'le').subarray(0, -1), 'The file is not valid UTF-16.'],
  ];
  it.each(FILES)('%s', async (_, file, message) => {
    await expect(read(file)).rejects.toThrow(message);
  });
});

describe('a time is read', () => {
  const at = (starts_at: string) =>
    parseRow({ kind: 'event', reference: 'e', name: 'E', starts_at, ends_at: '2031-01-01T00:00:00Z' });
  it.each([
    ['2030-05-01T18:00:00Z'],
    ['2030-05-01 18:00:00Z'],
    ['2030-05-01t18:00:00z'],
    ['2030-05-01 18:00:00.000Z'],
    ['2030-05-01T20:00:00+02:00'],
    ['2030-05-01 20:00:00+02:00'],
    ['2030-05-01 20:00:00+02'],
    ['2030-05-01 20:00:00 +0200'],
    ['2030-05-01 13:30:00-04:30'],
  ])('as databases print it: %s', (text) => {
    expect(at(text).row).toMatchObject({ starts_at: new Date('2030-05-01T18:00:00Z') });
  });

  it.each([
    ['2030-05-01 18:00:00'],
    ['2030-05-01T18:00:00'],
    ['2030-05-01'],
    ['01.05.2030 18:00'],
    ['2030-05-01  18:00:00Z'],
    ['2030-02-30 18:00:00Z'],
    ['2030-05-01 18:00:00 CEST'],
    ['1900-05-01 18:00:00Z'],
  ])('only with an offset, and where it exists: not %s', (text) => {
    expect(at(text).fault).toMatchObject({ field: 'starts_at' });
  });
});
