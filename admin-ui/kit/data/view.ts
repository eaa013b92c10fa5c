import { useIdle } from '@mantine/hooks';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { call, type Document, Failure, perform } from './call.ts';
import { askFreshSignIn, noteStanding } from './person.ts';

/**
 * Parts of a document that reads a page of a list: its variables, the connection's arguments, and its own fields. `$count`
 * asks for the total, which `useList` does apart: rows must not wait for it.
 */
export const PAGE = {
  variables: '$first: Int, $after: String, $last: Int, $before: String, $count: Boolean = false',
  args: 'first: $first, after: $after, last: $last, before: $before',
  fields:
    'totalCount @include(if: $count) hasMoreThanTotal @include(if: $count) pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
} as const;

/** What every mutation selects beside its result, so that `perform` can throw a refusal. */
export const REFUSAL = '__typename ... on Refusal { code message }';

/** A refusal stays one when it is asked for again; an outage may end. */
const mayPass = (error: unknown) =>
  error instanceof Failure && (error.code === 'unreachable' || error.code === 'unavailable');

const onError = (error: Error) => {
  if (error instanceof Failure) noteStanding(error.code);
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => count < 2 && mayPass(error), retryDelay: 800 },
  },
});

/** Without input for this long, a page stops refreshing: an abandoned one must not keep its session alive. */
const IDLE_AFTER_MS = 3 * 60_000;

/**
 * Runs the query of a view. While new variables load, `data` is what was shown before (`isPlaceholderData`).
 * @param key name of the view; with the variables it is the key of the cache
 */
export function useView<D extends Document>(
  key: string,
  document: D,
  variables: VariablesOf<D>,
  options: { enabled?: boolean; refetchInterval?: number; staleTime?: number } = {},
) {
  const isIdle = useIdle(IDLE_AFTER_MS, { initialState: false });
  return useQuery<ResultOf<D>, Failure>({
    queryKey: [key, variables],
    queryFn: () => call(document, variables),
    placeholderData: keepPreviousData,
    ...options,
    refetchInterval: isIdle ? false : (options.refetchInterval ?? false),
  });
}

/** What components that show a view need of `useView`. */
export type View = Pick<UseQueryResult<unknown, Failure>, 'isPlaceholderData' | 'error' | 'refetch'>;

/**
 * A mutation: `mutateAsync(variables)` returns its result or throws a `Failure`; a fresh sign-in is asked for where it needs
 * one. Afterwards all cached views are stale.
 */
export function useChange<D extends Document>(document: D) {
  return useChangeBy((variables: VariablesOf<D>) => perform(document, variables));
}

/** As `useChange`, where the input decides which mutation `run` performs. */
export function useChangeBy<Input, Result>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Failure, Input>({
    mutationFn: (input) => withFreshSignIn(() => run(input)),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Runs a step; where the service wants a fresh sign-in first, asks for it and then runs the step again. */
async function withFreshSignIn<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isRefused = error instanceof Failure && error.code === 'fresh_sign_in_required';
    if (!isRefused || !(await askFreshSignIn())) throw error;
    return run();
  }
}
