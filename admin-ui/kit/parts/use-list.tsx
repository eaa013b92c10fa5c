import { MagnifyingGlassIcon } from '@heroicons/react/24/outline';
import { CloseButton, Select, type SelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getOperationName } from '@urql/core';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Document } from '../data/call.ts';
import { useView, type View } from '../data/view.ts';
import { IdChip } from './values.tsx';

/** Rows of a page. */
const PAGE_SIZE = 25;

/** What the schema's connections have in common. */
export interface Connection<Row> {
  nodes: readonly Row[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  /** Only of the call that counts. */
  totalCount?: number;
  hasMoreThanTotal?: boolean;
}

/** The arguments of a connection, see `PAGE`. */
type PageArguments = { first?: number; after?: string; last?: number; before?: string; count?: boolean };

/** A filter may be called as one of them is. */
const NO_PAGE = { first: undefined, after: undefined, last: undefined, before: undefined };

/** Renders the control of one filter. Its value is empty where nothing is filtered by. */
export type Filter = (field: { value: string; onChange: (next: string) => void }) => ReactNode;

/** A list whose filters and page are in the address, so that every state of it is a link. */
export interface List<Row> {
  view: View;
  connection: Connection<Row> | null | undefined;
  /** `1,204`, or `10,000+`; undefined until it is counted. */
  total: string | undefined;
  sorting: Sorting;
  values: Values<string>;
  /** By the filter's name, in the order in which they are shown. */
  controls: Record<string, ReactNode>;
  isFiltered: boolean;
  isFirstPage: boolean;
  clear(): void;
  /** Goes on, or back, from a row's cursor; to the beginning without one. */
  turn(to: { after?: string | null; before?: string | null }): void;
}

/** The set filters; null where nothing is filtered by. */
type Values<Name extends string> = Readonly<Record<Name, string | null>>;

interface ListPlan<D extends Document, Name extends string, Row, Sort extends string> {
  document: D;
  /** By the parameter of the address; null for a filter that only links set. */
  filters?: Record<Name, Filter | null>;
  /** The service's names of the orders, by the header of the column. */
  sorts?: Readonly<Record<string, Sort>>;
  /** The order where the address has none; newest first by default. */
  usualSort?: (values: Values<Name>) => Directed<Sort>;
  /** What the list is of, such as the tickets of a fan: variables that stay. */
  of?: Partial<VariablesOf<D>>;
  /** Variables from the filters; the others are called as their filters are. */
  variables?: (values: Values<Name>) => Partial<VariablesOf<D>>;
  /** The list within the result; the only field of the result by default. */
  connection?: (data: ResultOf<D>) => Connection<Row> | null | undefined;
  enabled?: boolean;
  /** Where rows change while they are shown. */
  refetchInterval?: number;
}

/** The values of the filters in the address, and their controls. A change begins with the first page. */
export function useFilters<Name extends string>(filters: Partial<Record<Name, Filter | null>> = {}) {
  const [params, setParams] = useSearchParams();
  // of a timeline: a phone number, which must not be in the address
  const state = useHistoryState<unknown>();
  const names = Object.keys(filters) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) || null])) as Values<Name>;
  const change = (changes: Record<string, string | null | undefined>, replace = true) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries({ after: undefined, before: undefined, ...changes })) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace, state },
    );
  const controlOf = (name: Name) => {
    const control = filters[name]?.({ value: values[name] ?? '', onChange: (next) => change({ [name]: next }) });
    return [name, <Fragment key={name}>{control}</Fragment>];
  };
  return {
    params,
    change,
    values,
    controls: Object.fromEntries(names.filter((name) => filters[name]).map(controlOf)),
    isFiltered: names.some((name) => values[name] !== null),
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
  };
}

/** The rows of the only field of a result. */
type RowIn<Data> = Data[keyof Data] extends Connection<infer Row> ? Row : never;

/** Reads the page of a list that the address names, for `ListPage` or `ListTable`. `data` is the whole result. */
export function useList<
  D extends Document,
  const Name extends string = never,
  Row = RowIn<ResultOf<D>>,
  const Sort extends string = never,
>({
  document,
  filters,
  sorts,
  usualSort,
  of,
  variables,
  connection = (data) => Object.values(data as Record<string, Connection<Row>>)[0],
  enabled = true,
  refetchInterval,
}: ListPlan<D, Name, Row, Sort>) {
  const { params, change, ...filtering } = useFilters<Name>(filters);
  const { values } = filtering;
  const after = params.get('after') ?? undefined;
  const before = params.get('before') ?? undefined;
  const page = before === undefined ? { first: PAGE_SIZE, ...(after && { after }) } : { last: PAGE_SIZE, before };
  const usual = usualSort?.(values) ?? ('CREATED_DESC' as Directed<Sort>);
  const sort = sortIn(params.get('sort'), sorts) ?? usual;
  const name = getOperationName(document) ?? '';
  // the service ignores those that the document does not declare
  const variablesOf = (part: PageArguments, order: string) =>
    ({
      ...values,
      ...NO_PAGE,
      ...part,
      ...(sorts && { sort: order }),
      ...of,
      ...variables?.(values),
    }) as VariablesOf<D>;
  const view = useView(name, document, variablesOf(page, sort), {
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const shown = view.data && connection(view.data);
  const isWhole = shown && !shown.pageInfo.hasNextPage && !shown.pageInfo.hasPreviousPage && after === undefined;
  const counting = useView(`${name} total`, document, variablesOf({ first: 0, count: true }, usual), {
    enabled: enabled && shown != null && !isWhole,
  });

  return {
    ...filtering,
    view,
    data: view.data,
    connection: shown,
    total: isWhole
      ? String(shown.nodes.length)
      : counting.data && !counting.isPlaceholderData
        ? totalOf(connection(counting.data))
        : undefined,
    sorting: {
      sorts: sorts ?? {},
      current: sort,
      usual,
      choose: (next: string) => change({ sort: next === usual ? null : next.toLowerCase() }, false),
    },
    isFirstPage: after === undefined && before === undefined,
    turn: (to: { after?: string | null; before?: string | null }) => change({ ...to }, false),
  };
}

function totalOf(counted: Connection<unknown> | null | undefined): string | undefined {
  const { totalCount, hasMoreThanTotal } = counted ?? {};
  return totalCount === undefined ? undefined : `${totalCount.toLocaleString('en')}${hasMoreThanTotal ? '+' : ''}`;
}

/** An order by its name at the service, one way or the other. */
type Directed<Sort extends string> = Sort | `${Sort}_DESC`;

/** The order of the rows of a list, and the other possible ones. */
export interface Sorting {
  /** The orders' names by the header of the column. */
  sorts: Readonly<Record<string, string>>;
  current: string;
  /** The order where nobody chose one; not always that of a column. */
  usual: string;
  choose(next: string): void;
}

/** The order that the address names; undefined where it names none of this list. */
function sortIn<Sort extends string>(
  text: string | null,
  sorts: Readonly<Record<string, Sort>> = {},
): Directed<Sort> | undefined {
  const named = text?.toUpperCase();
  return Object.values(sorts)
    .flatMap((sort): Directed<Sort>[] => [sort, `${sort}_DESC`])
    .find((sort) => sort === named);
}

/** The order that a click on a column's header chooses: a new column's useful end first, then the other way round. */
export function nextSort(sort: string, current: string): string {
  if (current === `${sort}_DESC`) return sort;
  if (current === sort) return `${sort}_DESC`;
  return isOfTime(sort) ? `${sort}_DESC` : sort;
}

/** As `aria-sort` has it; undefined for a column that does not order the rows now. */
export function directionOf(sort: string | undefined, current: string): 'ascending' | 'descending' | undefined {
  if (sort === undefined) return undefined;
  if (current === sort) return 'ascending';
  return current === `${sort}_DESC` ? 'descending' : undefined;
}

/** Each order in words, for a screen without column headers: the usual one too, which is shown where nobody chose. */
export function sortOptions({ sorts, usual }: Pick<Sorting, 'sorts' | 'usual'>): { value: string; label: string }[] {
  const options = Object.entries(sorts).flatMap(([header, sort]) => {
    const [up, down] = endsOf(sort);
    const both = [
      { value: sort, label: `${header}, ${up}` },
      { value: `${sort}_DESC`, label: `${header}, ${down}` },
    ];
    return isOfTime(sort) ? both.reverse() : both;
  });
  if (options.some(({ value }) => value === usual)) return options;
  return [{ value: usual, label: usual.endsWith('_DESC') ? 'Newest first' : 'Oldest first' }, ...options];
}

const ENDS: Readonly<Record<string, [up: string, down: string]>> = {
  NAME: ['A to Z', 'Z to A'],
  STATUS: ['first steps first', 'last steps first'],
  ROLE: ['fewest rights first', 'most rights first'],
};

function endsOf(sort: string): [up: string, down: string] {
  if (isOfTime(sort)) return ['oldest first', 'newest first'];
  return ENDS[sort] ?? ['ascending', 'descending'];
}

function isOfTime(sort: string): boolean {
  return /^(CREATED|UPDATED|STARTS|LAST_\w+)$/.test(sort);
}

/** A text that is searched for. */
export const searchFilter =
  (label: string, placeholder: string): Filter =>
  (field) => <SearchField label={label} placeholder={placeholder} {...field} />;

/** One of some values; nothing chosen means all. */
export const selectFilter =
  (label: string, options: readonly { value: string; label: string }[]): Filter =>
  (field) => <FilterSelect label={label} data={[...options]} {...field} />;

interface FilterSelectProps extends Omit<SelectProps, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A select of a filter; nothing chosen means all. */
export function FilterSelect({ label, value, onChange, ...select }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: all` }}
      className="filter-select"
      {...select}
    />
  );
}

/** A day or a minute, in UTC. @param description in full, for a screen reader */
export const timeFilter =
  (type: 'date' | 'datetime-local', label: string, description: string): Filter =>
  ({ value, onChange }) => (
    <TextInput
      type={type}
      aria-label={description}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={58}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.slice(0, 16))}
      flex={type === 'date' ? '0 1 210px' : '0 1 250px'}
    />
  );

/** An identifier that a link of another view has set, and that can only be removed here. */
export const idFilter =
  (label: string): Filter =>
  ({ value, onChange }) =>
    value !== '' && (
      <span className="id-filter">
        {label} <IdChip id={value} />
        <CloseButton size="sm" aria-label={`${label}: all`} onClick={() => onChange('')} />
      </span>
    );

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Searches as it is typed, a moment after the last key. `/` brings the focus here. */
function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next);
  }, 250);
  useEffect(() => {
    // the address changed by another way than typing here: back, a link, "clear"
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    send(next.trim());
  };
  return (
    <TextInput
      type="search"
      data-list-search
      aria-label={label}
      placeholder={placeholder}
      leftSection={<MagnifyingGlassIcon width={16} />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      className="search-field"
    />
  );
}
