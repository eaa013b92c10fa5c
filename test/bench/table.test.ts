import { expect, it } from 'vitest';
import { markdownTable, textTable } from './table.ts';

const TABLE = [
  ['path', 'req/s', 'side'],
  ['userinfo', '1,024', 'ours'],
  ['tickets', '', 'floor'],
];

it('text: columns of figures are aligned on the right, others on the left', () => {
  expect(textTable(TABLE).split('\n')).toEqual([
    'path      req/s  side',
    'userinfo  1,024  ours',
    'tickets          floor',
  ]);
});

it('Markdown: columns of figures are aligned on the right', () => {
  expect(markdownTable(TABLE).split('\n')).toEqual([
    '| path | req/s | side |',
    '|---|---:|---|',
    '| userinfo | 1,024 | ours |',
    '| tickets |  | floor |',
  ]);
});
