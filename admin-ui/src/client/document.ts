import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

/** Data of a client's page. */
export const CLIENT = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      id name mode status redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow
      createdAt updatedAt version grantCount
      partner { id name }
      killSwitch { reason setAt setBy { name } }
      steps { name obstacle right { name fresh } }
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
export type ClientStep = ClientData['steps'][number];
export type ReviewData = ClientData['reviews'][number];
