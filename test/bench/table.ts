/** A table: its first row has the names of the columns. */
export type Table = string[][];

/** As aligned text; columns of figures are aligned on the right. */
export function textTable(table: Table): string {
  const widths = widthsOf(table);
  return table
    .map((row) =>
      row
        .map((cell, at) => pad(table, cell, at, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** In Markdown. */
export function markdownTable(table: Table): string {
  const [head = [], ...rows] = table;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, at) => (isOfFigures(table, at) ? '---:' : '---')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function widthsOf(table: Table): number[] {
  return (table[0] ?? []).map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
}

function pad(table: Table, cell: string, at: number, width: number): string {
  return isOfFigures(table, at) ? cell.padStart(width) : cell.padEnd(width);
}

/** Whether each cell below the name of the column is a figure, or empty. */
function isOfFigures(table: Table, at: number): boolean {
  return table.slice(1).every((row) => /^[\d.,]*( (MB|s))?$/.test(row[at] ?? ''));
}
