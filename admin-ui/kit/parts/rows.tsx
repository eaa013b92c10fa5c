import { Paper } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Choice, ChooseAll, ChooseRow } from './choose-rows.tsx';
import { directionOf, nextSort, type Sorting } from './sorting.ts';
import { CELL, COLUMN_HEADER, ROW, ROW_GROUP, ROW_HEADER, TABLE } from './table-roles.ts';

export interface TableShape<Row> {
  /** What is listed, in the plural: "Clients". */
  caption: string;
  /** Cells by their header. The first one names the row and carries its link. */
  columns: Record<string, (row: Row) => ReactNode>;
  /** Headers of columns of figures, which are aligned right. */
  numeric?: readonly string[];
  href?: (row: Row) => string;
  /** Where rows can be chosen to do something with several at once. */
  choice?: Choice<Row>;
}

interface RowsProps<Row> extends TableShape<Row> {
  rows: readonly Row[];
  sorting?: Sorting;
  /** Whether other rows are being loaded. */
  isStale?: boolean;
}

const UNSORTED: Sorting = { sorts: {}, current: '', usual: '', choose: () => {} };

/** A table; on a narrow screen each row is a card. */
export function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { caption, rows, columns, numeric, href, choice, sorting = UNSORTED, isStale = false } = props;
  const [[firstHeader = '', nameCell] = [], ...others] = Object.entries(columns);
  const alignment = (header: string) => ({ 'data-numeric': numeric?.includes(header) || undefined });
  return (
    <Paper withBorder className="table-frame" data-stale={isStale || undefined}>
      <table {...TABLE} className="rows">
        <caption className="visually-hidden">{caption}</caption>
        <thead {...ROW_GROUP}>
          <tr {...ROW}>
            {choice && (
              <td {...CELL} className="choose">
                <ChooseAll choice={choice} rows={rows} />
              </td>
            )}
            {Object.keys(columns).map((header) => (
              <ColumnHeader key={header} header={header} sorting={sorting} {...alignment(header)} />
            ))}
          </tr>
        </thead>
        <tbody {...ROW_GROUP}>
          {rows.map((row) => (
            <tr {...ROW} key={row.id}>
              {choice && (
                <td {...CELL} className="choose" data-label="Select">
                  {choice.isOpen(row) && <ChooseRow choice={choice} row={row} />}
                </td>
              )}
              <th {...ROW_HEADER} key={firstHeader} scope="row">
                {href === undefined ? nameCell?.(row) : <Link href={href(row)}>{nameCell?.(row)}</Link>}
              </th>
              {others.map(([header, cell]) => (
                <td {...CELL} key={header} data-label={header} {...alignment(header)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

interface ColumnHeaderProps {
  header: string;
  sorting: Sorting;
  'data-numeric': true | undefined;
}

/** A button where the column can order the rows. */
function ColumnHeader({ header, sorting: { sorts, current, choose }, ...alignment }: ColumnHeaderProps) {
  const sort = sorts[header];
  const direction = directionOf(sort, current);
  const Icon = direction === undefined ? IconSelector : direction === 'ascending' ? IconChevronUp : IconChevronDown;
  return (
    <th {...COLUMN_HEADER} scope="col" aria-sort={direction} {...alignment}>
      {sort === undefined ? (
        header
      ) : (
        <>
          <span className="visually-hidden narrow-only">{header}</span>
          <button type="button" className="sort-button" onClick={() => choose(nextSort(sort, current))}>
            {header}
            <Icon size={14} aria-hidden />
          </button>
        </>
      )}
    </th>
  );
}
