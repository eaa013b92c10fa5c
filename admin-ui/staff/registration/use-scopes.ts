import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

const SCOPES = graphql(`
  query Scopes {
    scopes { name group says isAction inUse }
  }
`);

/** All scopes; they change only with a release. */
export function useScopes() {
  return useView('scopes', SCOPES, {}, { staleTime: Number.POSITIVE_INFINITY });
}
