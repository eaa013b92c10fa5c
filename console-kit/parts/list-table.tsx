import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp, IconSelector } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Choice, ChooseAll, ChooseRow } from './choose-rows.tsx';
import { EmptyState } from './empty-state.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { directionOf, nextSort, type Sorting } from './sorting.ts';
import type { Connection, List } from './use-list.tsx';

export interface ListTableProps<Row> {
  list: List<Row>;
  /** What is listed, in the plural: "Clients". */
  caption: string;
  /** Cells by their header. The first one names the row and carries its link. */
  columns: Record<string, (row: Row) => ReactNode>;
  /** Headers of columns of figures, which are aligned right. */
  numeric?: readonly string[];
  href?: (row: Row) => string;
  /** Where rows can be chosen to do something with several at once. */
  choice?: Choice<Row>;
  /** The button that adds an entry. */
  add?: ReactNode;
  /** Shown where the list has no entry at all, as opposed to no match: what belongs here and how it gets here. */
  emptyIcon: ReactNode;
  emptyTitle: string;
  emptyText: ReactNode;
}

/** A list as a table; on a narrow screen each row is a card. */
export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { caption, list } = props;
  const { view, connection } = list;
  if (view.error && !connection) {
    return <FailureAlert failure={view.error} title={`${caption} could not be loaded`} retry={view.refetch} />;
  }
  if (!connection) return <Loading caption={caption} />;
  if (connection.nodes.length === 0) {
    return <Paper withBorder>{list.isFiltered ? <NoMatch list={list} /> : <Empty {...props} />}</Paper>;
  }
  return (
    <div>
      <FailureAlert failure={view.error} title={`${caption} could not be updated`} retry={view.refetch} />
      <Rows {...props} rows={connection.nodes} />
      <PageButtons caption={caption} connection={connection} list={list} />
    </div>
  );
}

type RowsProps<Row> = ListTableProps<Row> & { rows: readonly Row[] };

function Rows<Row extends { id: string }>({ caption, list, rows, columns, numeric, href, choice }: RowsProps<Row>) {
  const [[firstHeader = '', nameCell] = [], ...others] = Object.entries(columns);
  const alignment = (header: string) => ({ 'data-numeric': numeric?.includes(header) || undefined });
  return (
    <Paper withBorder className="table-frame" data-stale={list.view.isPlaceholderData || undefined}>
      <table className="rows">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {choice && (
              <td className="choose">
                <ChooseAll choice={choice} rows={rows} />
              </td>
            )}
            {Object.keys(columns).map((header) => (
              <ColumnHeader key={header} header={header} sorting={list.sorting} {...alignment(header)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {choice && (
                <td className="choose" data-label="Select">
                  {choice.isOpen(row) && <ChooseRow choice={choice} row={row} />}
                </td>
              )}
              <th key={firstHeader} scope="row">
                {href === undefined ? nameCell?.(row) : <Link href={href(row)}>{nameCell?.(row)}</Link>}
              </th>
              {others.map(([header, cell]) => (
                <td key={header} data-label={header} {...alignment(header)}>
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
    <th scope="col" aria-sort={direction} {...alignment}>
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

interface PageButtonsProps {
  caption: string;
  connection: Connection<unknown>;
  list: Pick<List<unknown>, 'turn' | 'isFirstPage' | 'total'>;
}

/** Under the rows: how many there are, and the way to the next and previous page. */
function PageButtons({ caption, connection: { pageInfo }, list }: PageButtonsProps) {
  return (
    <Group justify="space-between" mt="xs" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {list.total !== undefined && `${list.total} ${list.total === '1' ? 'entry' : 'entries'}`}
      </Text>
      {(pageInfo.hasNextPage || !list.isFirstPage) && (
        <Group gap="xs" component="nav" aria-label={`Pages of ${caption}`}>
          {!list.isFirstPage && (
            <Button size="xs" variant="subtle" onClick={() => list.turn({})}>
              First page
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={14} aria-hidden />}
            disabled={list.isFirstPage || !pageInfo.hasPreviousPage}
            onClick={() => list.turn({ before: pageInfo.startCursor })}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} aria-hidden />}
            disabled={!pageInfo.hasNextPage}
            onClick={() => list.turn({ after: pageInfo.endCursor })}
          >
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
}

function Empty<Row>({ emptyIcon, emptyTitle, emptyText, add }: ListTableProps<Row>) {
  return (
    <EmptyState icon={emptyIcon} title={emptyTitle} actions={add}>
      {emptyText}
    </EmptyState>
  );
}

function NoMatch({ list }: { list: Pick<List<unknown>, 'clear'> }) {
  return (
    <Group justify="center" py="xl" gap="xs">
      <Text size="sm" c="dimmed">
        No matches.
      </Text>
      <button type="button" className="text-button" onClick={list.clear}>
        Show all
      </button>
    </Group>
  );
}

function Loading({ caption }: { caption: string }) {
  return (
    <Paper withBorder p="sm" aria-busy role="status" aria-label={`${caption}: loading`}>
      {[78, 64, 71, 58, 69, 62].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} my={13} />
      ))}
    </Paper>
  );
}
