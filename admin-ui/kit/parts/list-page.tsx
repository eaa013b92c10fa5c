import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ListTable, type ListTableProps } from './list-table.tsx';
import { Page } from './page.tsx';
import { sortOptions } from './sorting.ts';
import type { List } from './use-list.tsx';

interface ListPageProps<Row> extends Omit<ListTableProps<Row>, 'caption'> {
  title: string;
  description: string;
  /** What is listed, where the title does not say it. */
  caption?: string;
  /** Other buttons than `add`. */
  actions?: ReactNode;
  /** Names of filters that are shown by "More filters". */
  moreFilters?: readonly string[];
  /** Between the filters and the rows. */
  above?: ReactNode;
  /** Under the list, and its dialogs. */
  children?: ReactNode;
}

/** A view that is a list: its title, its filters and its rows. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, description, actions, moreFilters = [], above, children, ...table } = props;
  return (
    <Page
      title={title}
      description={description}
      actions={
        (actions || table.add) && (
          <>
            {actions}
            {table.add}
          </>
        )
      }
    >
      {hasControls(table.list) && <Toolbar list={table.list} more={moreFilters} />}
      {above}
      <ListTable caption={title} {...table} />
      {children}
    </Page>
  );
}

function hasControls({ controls, sorting }: List<unknown>): boolean {
  return Object.keys(controls).length + Object.keys(sorting.sorts).length > 0;
}

function Toolbar({ list, more }: { list: List<unknown>; more: readonly string[] }) {
  const { controls, isFiltered, clear, sorting } = list;
  const [isOpen] = useState(() => more.some((name) => list.values[name]));
  return (
    <Group gap="xs" role="search">
      {Object.keys(controls).flatMap((name) => (more.includes(name) ? [] : controls[name]))}
      {more.length > 0 && (
        <details className="more-filters" open={isOpen}>
          <summary>More filters</summary>
          <Group gap="xs">{more.map((name) => controls[name])}</Group>
        </details>
      )}
      {Object.keys(sorting.sorts).length > 0 && (
        <NativeSelect
          aria-label="Sort by"
          leftSection={
            <Text span size="sm" c="dimmed">
              Sort by
            </Text>
          }
          leftSectionWidth={72}
          data={sortOptions(sorting)}
          value={sorting.current}
          onChange={(event) => sorting.choose(event.currentTarget.value)}
          className="narrow-only grows"
        />
      )}
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}
