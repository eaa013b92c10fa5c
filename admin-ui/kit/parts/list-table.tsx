import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { Rows, type TableShape } from './rows.tsx';
import type { Connection, List } from './use-list.tsx';

export interface ListTableProps<Row> extends TableShape<Row> {
  list: List<Row>;
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
      <Rows {...props} rows={connection.nodes} sorting={list.sorting} isStale={list.view.isPlaceholderData} />
      <PageButtons caption={caption} connection={connection} list={list} />
    </div>
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
