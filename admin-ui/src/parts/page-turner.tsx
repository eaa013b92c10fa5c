import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { List } from './use-list.ts';

/** What the schema's connections have in common. */
export interface Connection<Row> {
  nodes: readonly Row[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount?: number;
}

interface PageTurnerProps {
  caption: string;
  connection: Connection<unknown>;
  list: Pick<List<string>, 'turn' | 'isFirstPage'>;
}

/** Under a list: how many there are, and on and back through them. */
export function PageTurner({ caption, connection, list }: PageTurnerProps) {
  const { pageInfo, totalCount, nodes } = connection;
  const many = pageInfo.hasNextPage || !list.isFirstPage;
  return (
    <Group justify="space-between" mt="xs" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {totalCount === undefined
          ? `${nodes.length} shown`
          : `${totalCount.toLocaleString('en')} ${totalCount === 1 ? 'entry' : 'entries'}`}
      </Text>
      {many && (
        <Group gap="xs" component="nav" aria-label={`Pages of ${caption}`}>
          {!list.isFirstPage && (
            <Button size="xs" variant="subtle" onClick={() => list.turn({})}>
              Newest
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={14} aria-hidden />}
            disabled={list.isFirstPage || !pageInfo.hasPreviousPage}
            onClick={() => list.turn({ before: pageInfo.startCursor })}
          >
            Newer
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} aria-hidden />}
            disabled={!pageInfo.hasNextPage}
            onClick={() => list.turn({ after: pageInfo.endCursor })}
          >
            Older
          </Button>
        </Group>
      )}
    </Group>
  );
}
