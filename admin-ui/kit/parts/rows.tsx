import { ChevronDownIcon, ChevronUpDownIcon, ChevronUpIcon } from '@heroicons/react/24/outline';
import { Checkbox, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { directionOf, nextSort, type Sorting } from './use-list.tsx';

export interface TableShape<Row> {
  /** What is listed, in the plural: "Clients". */
  caption: string;
  /** Cells by their header. The first one names the row and carries its link. */
  columns: Record<string, (row: Row) => ReactNode>;
  /** Headers of columns whose values the place of the list shows already. */
  without?: readonly string[];
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
  const { caption, rows, without, numeric, href, choice, sorting = UNSORTED, isStale = false } = props;
  const columns = Object.entries(props.columns).filter(([header]) => !without?.includes(header));
  const [[firstHeader = '', nameCell] = [], ...others] = columns;
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
            {columns.map(([header]) => (
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
  const Icon =
    direction === undefined ? ChevronUpDownIcon : direction === 'ascending' ? ChevronUpIcon : ChevronDownIcon;
  return (
    <th {...COLUMN_HEADER} scope="col" aria-sort={direction} {...alignment}>
      {sort === undefined ? (
        header
      ) : (
        <>
          <span className="visually-hidden narrow-only">{header}</span>
          <button type="button" className="sort-button" onClick={() => choose(nextSort(sort, current))}>
            {header}
            <Icon width={14} />
          </button>
        </>
      )}
    </th>
  );
}

/** Which rows of a list are chosen. */
interface Choice<Row> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** The label of a row's box: "Choose Opening Night". */
  nameOf: (row: Row) => string;
  /** Whether the row has a box. */
  isOpen: (row: Row) => boolean;
}

interface ChooseRowProps<Row> {
  choice: Choice<Row>;
  row: Row;
}

/** The box of a row. */
function ChooseRow<Row extends { id: string }>({ choice, row }: ChooseRowProps<Row>) {
  const { chosen, onChange, nameOf } = choice;
  return (
    <Checkbox
      size="xs"
      aria-label={nameOf(row)}
      checked={chosen.has(row.id)}
      onChange={(event) => {
        const others = [...chosen].filter((id) => id !== row.id);
        onChange(new Set(event.currentTarget.checked ? [...others, row.id] : others));
      }}
    />
  );
}

interface ChooseAllProps<Row> {
  choice: Choice<Row>;
  rows: readonly Row[];
}

/** The box above them. */
function ChooseAll<Row extends { id: string }>({ choice, rows }: ChooseAllProps<Row>) {
  const { chosen, onChange, isOpen } = choice;
  const open = rows.filter(isOpen).map(({ id }) => id);
  const all = open.length > 0 && open.every((id) => chosen.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      disabled={open.length === 0}
      checked={all}
      indeterminate={!all && open.some((id) => chosen.has(id))}
      onChange={() => onChange(new Set(all ? [] : open))}
    />
  );
}

/**
 * The roles of a table that is shown as cards on a narrow screen, one for each element. Some browsers take them from the way in which an
 * element is laid out, and such cards would be no table to a screen reader.
 * @see WCAG 2.2 §1.3.1
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
export const CELL = { role: 'cell' } as const;
