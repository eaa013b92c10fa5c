import { useSearchParams } from 'wouter';

/** Rows of a page. */
const PAGE_SIZE = 25;

/** Where a list stands: its filters and its page, both in the address, so that every state of it is a link. */
export interface List<Name extends string> {
  /** Empty text where nothing is filtered by. */
  filters: Record<Name, string>;
  isFiltered: boolean;
  /** Arguments of the connection. */
  page: { first?: number; after?: string; last?: number; before?: string };
  isFirstPage: boolean;
  /** Changes filters and goes back to the first page. */
  filter(changes: Partial<Record<Name, string>>): void;
  clear(): void;
  /** Goes on, or back, from a row's cursor; to the beginning without one. */
  turn(to: { after?: string | null; before?: string | null }): void;
}

/** @param names the filters that the list has; each is a parameter of the address */
export function useList<const Name extends string>(names: readonly Name[]): List<Name> {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;
  const after = params.get('after') ?? undefined;
  const before = params.get('before') ?? undefined;

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

  return {
    filters,
    isFiltered: Object.values(filters).some((value) => value !== ''),
    page: before === undefined ? { first: PAGE_SIZE, ...(after && { after }) } : { last: PAGE_SIZE, before },
    isFirstPage: after === undefined && before === undefined,
    filter: (changes) => change(changes, true),
    clear: () => change(Object.fromEntries(names.map((name) => [name, ''])), true),
    turn: (to) => change({ ...to }, false),
  };
}
