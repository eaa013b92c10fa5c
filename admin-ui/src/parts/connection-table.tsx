import { Group, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { View } from '../data/view.ts';
import { type Choice, Choose, ChooseAll } from './choose-rows.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { type Connection, PageTurner } from './page-turner.tsx';
import type { List } from './use-list.ts';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  numeric?: boolean;
}

interface ConnectionTableProps<Row> {
  /** What is listed, in the plural: "Clients". */
  caption: string;
  view: View;
  connection: Connection<Row> | undefined;
  /** The first one names the row and carries its link. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string;
  list: List<string>;
  /** Where rows can be chosen to do something with several at once. */
  choice?: Choice<Row>;
  /** Where there is nothing at all; a search without a hit says so by itself. */
  empty: ReactNode;
}

/** A list of the schema as a table; on a narrow screen each row is a card. */
export function ConnectionTable<Row>(props: ConnectionTableProps<Row>) {
  const { caption, view, connection, list, empty } = props;
  if (view.error && !connection) {
    return <FailureAlert failure={view.error} title={`${caption} could not be read`} retry={view.refetch} />;
  }
  if (!connection) return <Loading caption={caption} />;
  if (connection.nodes.length === 0) return <Paper withBorder>{list.isFiltered ? <NoHit list={list} /> : empty}</Paper>;
  return (
    <div>
      <FailureAlert failure={view.error} title={`${caption} could not be read anew`} retry={view.refetch} />
      <Rows {...props} connection={connection} />
      <PageTurner caption={caption} connection={connection} list={list} />
    </div>
  );
}

function Rows<Row>({ caption, view, connection, columns, rowKey, href, choice }: RowsProps<Row>) {
  return (
    <Paper withBorder className="table-frame" data-stale={view.isPlaceholderData || undefined}>
      <table className="rows">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {choice && (
              <td className="choose">
                <ChooseAll choice={choice} rows={connection.nodes} rowKey={rowKey} />
              </td>
            )}
            {columns.map(({ header, numeric }) => (
              <th key={header} scope="col" data-numeric={numeric || undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {connection.nodes.map((row) => (
            <tr key={rowKey(row)}>
              {choice && (
                <td className="choose" data-label="Choose">
                  {choice.isOpen(row) && <Choose choice={choice} row={row} id={rowKey(row)} />}
                </td>
              )}
              {columns.map(({ header, cell, numeric }, index) =>
                index === 0 ? (
                  <th key={header} scope="row">
                    {href === undefined ? cell(row) : <Link href={href(row)}>{cell(row)}</Link>}
                  </th>
                ) : (
                  <td key={header} data-label={header} data-numeric={numeric || undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

type RowsProps<Row> = Omit<ConnectionTableProps<Row>, 'connection'> & { connection: Connection<Row> };

function NoHit({ list }: { list: List<string> }) {
  return (
    <Group justify="center" py="xl" gap="xs">
      <Text size="sm" c="dimmed">
        Nothing matches.
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
