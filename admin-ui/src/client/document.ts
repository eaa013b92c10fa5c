import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

/** Everything that the page of a client shows. */
export const CLIENT = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      id name mode status redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow
      createdAt updatedAt version grantCount
      partner { id name }
      killSwitch { reason setAt setBy { name } }
      changesSinceApproval { field before after frozen }
      reviews {
        id submittedAt note decision decidedAt reason mayApprove
        submittedBy { id name }
        decidedBy { id name }
        editors { id name }
      }
    }
  }
`);

export type ClientData = NonNullable<ResultOf<typeof CLIENT>['client']>;
export type ReviewData = ClientData['reviews'][number];

/** The review that waits for a decision. */
export function openReviewOf({ reviews }: Pick<ClientData, 'reviews'>): ReviewData | undefined {
  return reviews.find(({ decision }) => decision === null);
}
