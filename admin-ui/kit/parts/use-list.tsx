import { getOperationName } from '@urql/core';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { Document } from '../data/document.ts';
import { useView, type View } from '../data/view.ts';
import { type Directed, type Sorting, sortIn } from './sorting.ts';

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
  variables: (page: PageArguments, values: Values<Name>, sort: Directed<Sort>) => VariablesOf<D>;
  connection: (data: ResultOf<D>) => Connection<Row> | null | undefined;
  enabled?: boolean;
  /** Where rows change by themselves while they are shown. */
  refetchInterval?: number;
}

/** Reads the page of a list that the address names, for `ListPage` or `ListTable`. `data` is the whole result. */
export function useList<D extends Document, const Name extends string, Row, const Sort extends string = never>({
  document,
  filters,
  sorts,
  usualSort,
  variables,
  connection,
  enabled = true,
  refetchInterval,
}: ListPlan<D, Name, Row, Sort>) {
  const [params, setParams] = useSearchParams();
  const names = Object.keys(filters ?? {}) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) || null])) as Values<Name>;
  const after = params.get('after') ?? undefined;
  const before = params.get('before') ?? undefined;
  const page = before === undefined ? { first: PAGE_SIZE, ...(after && { after }) } : { last: PAGE_SIZE, before };
  const usual = usualSort?.(values) ?? ('CREATED_DESC' as Directed<Sort>);
  const sort = sortIn(params.get('sort'), sorts) ?? usual;
  const name = getOperationName(document) ?? '';
  const view = useView(name, document, variables(page, values, sort), {
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const shown = view.data && connection(view.data);
  const isWhole = shown && !shown.pageInfo.hasNextPage && !shown.pageInfo.hasPreviousPage && after === undefined;
  const counting = useView(`${name} total`, document, variables({ first: 0, count: true }, values, usual), {
    enabled: enabled && shown != null && !isWhole,
  });

  const change = (changes: Record<string, string | null | undefined>, replace: boolean) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries({ after: undefined, before: undefined, ...changes })) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace },
    );
  const controlOf = (name: Name) => {
    const control = filters?.[name]?.({
      value: values[name] ?? '',
      onChange: (next) => change({ [name]: next }, true),
    });
    return [name, <Fragment key={name}>{control}</Fragment>];
  };

  return {
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
    values,
    controls: Object.fromEntries(names.filter((name) => filters?.[name]).map(controlOf)),
    isFiltered: names.some((name) => values[name] !== null),
    isFirstPage: after === undefined && before === undefined,
    clear: () => change(Object.fromEntries(names.map((name) => [name, ''])), true),
    turn: (to: { after?: string | null; before?: string | null }) => change({ ...to }, false),
  };
}

function totalOf(counted: Connection<unknown> | null | undefined): string | undefined {
  const { totalCount, hasMoreThanTotal } = counted ?? {};
  return totalCount === undefined ? undefined : `${totalCount.toLocaleString('en')}${hasMoreThanTotal ? '+' : ''}`;
}
