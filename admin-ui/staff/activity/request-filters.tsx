import { Button, Group } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import {
  MORE_REQUEST_FILTERS,
  REQUEST_FILTERS,
  type RequestFilterValues,
  toRequestFilter,
} from '../../kit/requests/request-filters.tsx';

type Name = keyof typeof REQUEST_FILTERS;
const NAMES = Object.keys(REQUEST_FILTERS) as Name[];

/** The filters of a timeline: in the address, beside what it is of. A change begins with the newest entries. */
export function useRequestFilters(): { filter: Record<string, string>; isFiltered: boolean; toolbar: ReactNode } {
  const [params, setParams] = useSearchParams();
  // a phone number, which must not be in the address
  const state = useHistoryState<unknown>();
  const values = Object.fromEntries(NAMES.map((name) => [name, params.get(name) || null])) as RequestFilterValues;
  const change = (changes: Partial<Record<Name, string>>) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete('before');
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, state },
    );
  const isFiltered = NAMES.some((name) => values[name] !== null);
  const control = (name: Name) => (
    <Fragment key={name}>
      {REQUEST_FILTERS[name]({ value: values[name] ?? '', onChange: (next) => change({ [name]: next }) })}
    </Fragment>
  );
  const isMore = (name: Name) => (MORE_REQUEST_FILTERS as readonly Name[]).includes(name);
  return {
    filter: toRequestFilter(values),
    isFiltered,
    toolbar: (
      <Group gap="xs" role="group" aria-label="Filters">
        {NAMES.filter((name) => !isMore(name)).map(control)}
        <details className="more-filters" open={NAMES.some((name) => isMore(name) && values[name] !== null)}>
          <summary>More filters</summary>
          <Group gap="xs">{NAMES.filter(isMore).map(control)}</Group>
        </details>
        {isFiltered && (
          <Button variant="subtle" onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, ''])))}>
            Clear
          </Button>
        )}
      </Group>
    ),
  };
}
