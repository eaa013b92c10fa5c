import { useIdle } from '@mantine/hooks';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ResultOf, TadaDocumentNode, VariablesOf } from 'gql.tada';
import { call, perform } from './call.ts';
import { Failure } from './failure.ts';
import { noteStanding } from './standing.ts';

type Document = TadaDocumentNode<unknown, never, unknown>;

/** Refusals do not change by asking again; a service that did not answer may. */
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

/** Without a key or a movement of the mouse. A page that is only left open must not keep its session from ending. */
const LEFT_AFTER_MS = 3 * 60_000;

/**
 * What a view shows. While its variables change, it keeps what it showed before (`isPlaceholderData`).
 * @param key name of the view; with the variables it is the key of the cache
 */
export function useView<D extends Document>(
  key: string,
  document: D,
  variables: VariablesOf<D>,
  options: { enabled?: boolean; refetchInterval?: number; staleTime?: number } = {},
) {
  const isLeft = useIdle(LEFT_AFTER_MS, { initialState: false });
  return useQuery<ResultOf<D>, Failure>({
    queryKey: [key, variables],
    queryFn: () => call(document, variables),
    placeholderData: keepPreviousData,
    ...options,
    refetchInterval: isLeft ? false : (options.refetchInterval ?? false),
  });
}

/** What `useView` gives, as far as parts that show it care. */
export interface View {
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: Failure | null;
  refetch(): unknown;
}

/**
 * A change: `mutateAsync(variables)` gives what the mutation brought or throws a `Failure`. Afterwards every view that is
 * shown reads anew, and what others had read counts as stale: who looks never sees what was before.
 */
export function useChange<D extends Document>(document: D) {
  return useChangeBy((variables: VariablesOf<D>) => perform(document, variables));
}

/** As `useChange`, where the input decides which mutation runs. @param run performs it */
export function useChangeBy<Input, Result>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Failure, Input>({ mutationFn: run, onSuccess: () => client.invalidateQueries() });
}
