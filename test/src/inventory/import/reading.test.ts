import { describe, expect, it } from 'vitest';
import { maskRow } from '../../../../src/inventory/import/failures.ts';
import { withIdleLimit } from '../../../../src/inventory/import/import-rows.ts';
import { type Line, LineSplitter, MAX_LINE_BYTES } from '../../../../src/inventory/import/line-splitter.ts';
import { createRowReader } from '../../../../src/inventory/import/read-rows.ts';

/** Splits bytes that arrive in pieces of some size. */
function split(bytes: Buffer, size: number): Line[] {
  const splitter = new LineSplitter();
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; at += size) lines.push(...splitter.push(bytes.subarray(at, at + size)));
  return [...lines, ...splitter.end()];
}

const textsOf = (lines: Line[]) => lines.map(({ number, bytes }) => [number, bytes.toString()]);

describe('lines', () => {
  it.each([1, 2, 3, 7, 1_000])('are the same in pieces of %i bytes', (size) => {
    const bytes = Buffer.from('\ufeffä\r\n\nb\n€ and\rmore\nlast');
    const lines = [
      [1, 'ä'],
      [2, ''],
      [3, 'b'],
      [4, '€ and\rmore'],
      [5, 'last'],
    ];
    expect(textsOf(split(bytes, size))).toEqual(lines);
  });

  it.each([100, 65_536])('may have 16 KiB, and only the beginning of a longer one is kept: in pieces of %i', (size) => {
    const lines = split(Buffer.from(`${'x'.repeat(MAX_LINE_BYTES)}\n${'y'.repeat(3_000_000)}\nz\n`), size);
    expect(lines.map(({ number, bytes, isTooLong }) => [number, bytes.length, isTooLong])).toEqual([
      [1, MAX_LINE_BYTES, false],
      [2, MAX_LINE_BYTES, true],
      [3, 1, false],
    ]);
  });

  it('an empty file has none', () => {
    expect(split(Buffer.from(''), 1)).toEqual([]);
    expect(textsOf(split(Buffer.from('\n'), 1))).toEqual([[1, '']]);
  });
});

describe('rows', () => {
  const read = (format: 'ndjson' | 'csv', text: string) => createRowReader(format)(split(Buffer.from(text), 100));
  const rowsOf = (format: 'ndjson' | 'csv', text: string) => read(format, text).map(({ row, fault }) => fault ?? row);

  it('of NDJSON are objects, without members that begin with an underscore', () => {
    const text = '{"kind":"event","_line":1}\n  \nnull\n[]\n1\n{"a":\n{"b":"\\u0000"}';
    expect(rowsOf('ndjson', text)).toEqual([{ kind: 'event' }, ...Array(4).fill('invalid_json'), { b: '\0' }]);
  });

  it.each([',', ';'])('of CSV have the members of the header: %s', (comma) => {
    const text =
      'KIND, reference,name,_note\nevent,a,"Say ""yes"", or no",x\nevent,b,,\nevent,c\nevent,d,"e,f\nevent,g,"h"i",\nevent,j,k,,l\nevent,m,,\n';
    expect(rowsOf('csv', text.replaceAll(',', comma))).toEqual([
      { kind: 'event', reference: 'a', name: `Say "yes"${comma} or no` },
      { kind: 'event', reference: 'b' },
      ...Array(4).fill('invalid_csv'),
      { kind: 'event', reference: 'm' },
    ]);
  });

  it('of CSV are the same whether the header comes alone or not', () => {
    const reader = createRowReader('csv');
    const lines = split(Buffer.from('kind,reference\nevent,a\n'), 100);
    expect(lines.flatMap((line) => reader([line])).map(({ row }) => row)).toEqual([{ kind: 'event', reference: 'a' }]);
  });

  it('of CSV that an open quote joins are found, though their number fits', () => {
    // the quote of the second line closes in the third, and the fourth has a break too many
    const rows = rowsOf('csv', 'kind,reference\nevent,"a\nevent,b"\nevent,c\n');
    expect(rows).toEqual(['invalid_csv', 'invalid_csv', { kind: 'event', reference: 'c' }]);
  });
});

describe('a sender', () => {
  const slowly = async function* (pauses: number[]) {
    for (const pause of pauses) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      yield pause;
    }
  };

  it('may take the limit for each piece, but no longer', async () => {
    const got: number[] = [];
    const reading = (async () => {
      for await (const each of withIdleLimit(slowly([30, 30, 30, 5_000]), 1_000)) got.push(each);
    })();
    await expect(reading).rejects.toThrow('Nothing arrived for 1 seconds.');
    expect(got).toEqual([30, 30, 30]);
  });

  it('is not limited while its piece is being applied', async () => {
    let count = 0;
    for await (const _ of withIdleLimit(slowly([1, 1]), 200)) {
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(count).toBe(2);
  });
});

it.each([
  [
    { holder_phone: '+12025550123', reference: 'a' },
    { holder_phone: '+1 ••• ••• 0123', reference: 'a' },
  ],
  [{ holder_phone: 12025550123 }, { holder_phone: '…' }],
  [
    { holder_phone: '0202 5550123', phone: '+12025550123' },
    { holder_phone: '…', phone: '…' },
  ],
  ['+12025550123', null],
])('a masked row: %j', (row, masked) => {
  expect(maskRow(row)).toEqual(masked);
});
