import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

/** What the page of a fan shows, without its lists. */
export const FAN = graphql(`
  query Fan($id: ID!) {
    fan(id: $id) {
      id mode phone createdAt deletedAt walletAddress
      testUser { phone code partner { id name } }
      killSwitch { reason setAt setBy { name } }
      numberProvedAt numberVouchedAt numberIsOld
      formerNumbers { phone givenUpAt reason }
      passkeys { id name createdAt lastUsedAt }
    }
    proposals(subject: $id, state: [PROPOSED, APPROVED], first: 1) { nodes { id state } }
  }
`);

export type FanData = NonNullable<ResultOf<typeof FAN>['fan']>;
