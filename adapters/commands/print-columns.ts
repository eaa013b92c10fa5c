/**
 * Lines of cells, each as wide as the widest of its column.
 * @param texts how many of the first columns are texts: they are aligned left, the others right
 */
export function printColumns(rows: readonly (readonly unknown[])[], texts: number): string[] {
  const cells = rows.map((row) => row.map(String));
  const widthOf = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  return cells.map((row) =>
    row
      .map((cell, column) => (column < texts ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column))))
      .join('  '),
  );
}
