import { ChevronLeftIcon, ChevronRightIcon, PlusIcon } from '@heroicons/react/24/outline';
import { Anchor, Button, Group, type GroupProps, NativeSelect, Paper, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useDisabledReason } from '../data/person.ts';
import { ActionButton, DialogButton } from './dialog.tsx';
import { EmptyState, FailureAlert } from './instead.tsx';
import { Page } from './page.tsx';
import { Rows, type TableShape } from './rows.tsx';
import { Quiet } from './text.tsx';
import { type Connection, type List, sortOptions } from './use-list.tsx';

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

interface ToolbarProps extends GroupProps {
  list: Pick<List<unknown>, 'controls' | 'values' | 'isFiltered' | 'clear'> & { sorting?: List<unknown>['sorting'] };
  more: readonly string[];
}

/** Filters, and on a narrow screen the order. */
export function Toolbar({ list: { controls, values, isFiltered, clear, sorting }, more, ...group }: ToolbarProps) {
  const [isOpen] = useState(() => more.some((name) => values[name]));
  return (
    <Group gap="xs" role="search" {...group}>
      {Object.keys(controls).flatMap((name) => (more.includes(name) ? [] : controls[name]))}
      {more.length > 0 && (
        <details className="more-filters" open={isOpen}>
          <summary>More filters</summary>
          <Group gap="xs">{more.map((name) => controls[name])}</Group>
        </details>
      )}
      {sorting && Object.keys(sorting.sorts).length > 0 && (
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

interface ListTableProps<Row> extends Table<Row> {
  list: List<Row>;
  /** The button that adds an entry. */
  add?: ReactNode;
}

/** The columns of a list wherever it is shown, and what is there without an entry. */
export interface Table<Row> extends TableShape<Row> {
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
            leftSection={<ChevronLeftIcon width={14} />}
            disabled={list.isFirstPage || !pageInfo.hasPreviousPage}
            onClick={() => list.turn({ before: pageInfo.startCursor })}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<ChevronRightIcon width={14} />}
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
      <Quiet>No matches.</Quiet>
      <Anchor component="button" type="button" size="sm" underline="always" onClick={list.clear}>
        Show all
      </Anchor>
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

type AddButtonProps = {
  label: string;
  /** The right that adding needs. */
  right: string;
  fresh?: boolean;
  icon?: typeof PlusIcon;
} & ({ onClick: () => void } | { dialog: (close: () => void) => ReactNode });

/** The button above a list that adds to it; disabled, with the reason, for those without the right. */
export function AddButton({ label, icon: Icon = PlusIcon, ...action }: AddButtonProps) {
  const button = { variant: 'filled', leftSection: <Icon width={16} />, children: label, ...action };
  return 'dialog' in button ? <DialogButton {...button} /> : <ActionButton {...button} />;
}

/**
 * A form that the address opens, `?create=1`, for those who have the right.
 * @param kept the parameters that stay beside it when it opens or closes; all where left out
 */
export function useFormInAddress(name: string, right: string, kept?: readonly string[]) {
  const [params, setParams] = useSearchParams();
  const isAllowed = useDisabledReason(right) === undefined;
  const show = (shown: boolean) =>
    setParams(
      (current) => {
        const others = [...current].filter(([each]) => each !== name && (kept?.includes(each) ?? true));
        return new URLSearchParams(shown ? [...others, [name, '1']] : others);
      },
      { replace: true },
    );
  return { isOpen: params.has(name) && isAllowed, open: () => show(true), close: () => show(false) };
}
