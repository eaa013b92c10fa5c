import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

const SCOPES = graphql(`
  query Scopes {
    scopes { name group says isAction }
  }
`);

/** Every scope that there is; they change with a release only. */
export function useScopes() {
  return useView('scopes', SCOPES, {}, { staleTime: Number.POSITIVE_INFINITY });
}
