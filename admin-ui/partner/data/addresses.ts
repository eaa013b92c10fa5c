import type { ResultOf } from 'gql.tada';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';

const ADDRESSES = graphql(`
  query Addresses {
    addresses { issuer discoveryUrl jwksUrl apiUrl openapiUrl loginUrl sandboxRpcUrl }
    signingKeys { kid isCurrent publishedAt }
  }
`);

export type Addresses = ResultOf<typeof ADDRESSES>['addresses'];

/** Where the service is, and the keys that its tokens are signed with. */
export function useAddresses() {
  return useView('addresses', ADDRESSES, {}, { staleTime: 60_000 });
}
