import type { ResultOf } from 'gql.tada';
import { isInForce } from '../../kit/client/registration.ts';
import { graphql } from '../../kit/data/graphql.ts';

export const CLIENT = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      id name mode status redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow privacyUrl marketplaces
      createdAt updatedAt version isStopped grantCount endedGrantCount
      claimCounts { state count }
      goLive { name says done isNext isYours }
      openReview { id submittedBy registration { redirectUris scopes loopbackAnyPort privacyUrl marketplaces } changes { field before after } }
      reviews { id submittedAt submittedBy note decision decidedAt reason changes { field before after } }
    }
  }
`);

export type ClientData = NonNullable<ResultOf<typeof CLIENT>['client']>;

/** The change that waits for review beside the registration in force. */
export function waitingOf(client: ClientData): ClientData['openReview'] {
  return isInForce(client) ? client.openReview : null;
}
