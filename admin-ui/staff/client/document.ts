import type { ResultOf } from 'gql.tada';
import { isInForce } from '../../kit/client/registration.ts';
import { graphql } from '../data/graphql.ts';

/** Data of a client's page. */
export const CLIENT = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      id name mode status redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow privacyUrl marketplaces
      createdAt updatedAt version grantCount salesEndSince
      partner { id name }
      killSwitch { id kind reason country marketplace setAt setBy { name } client { id name mode } fan { id phone mode } }
      simulation { aheadSeconds armed { failure title call says timesLeft armedBy expiresAt } }
      steps { name obstacle right { name fresh } }
      reviews {
        id submittedAt note decision decidedAt reason mayApprove
        registration { name redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow privacyUrl marketplaces }
        changes { field before after }
        isPartners submittedBy { id name }
        decidedBy { id name }
        editors { id name }
        goLiveCheck { id clientName finishedAt passed failed isStale results { name title verdict seen wasStarted } }
      }
    }
  }
`);

export type ClientData = NonNullable<ResultOf<typeof CLIENT>['client']>;
export type ClientStep = ClientData['steps'][number];
export type ReviewData = ClientData['reviews'][number];

/** The open review: of the first registration, or of an edit that waits beside the one in force. */
export function openReviewOf({ reviews }: ClientData): ReviewData | undefined {
  return reviews.find(({ decision }) => decision === null);
}

/** Who submitted a review. @param article `The` at the start of a sentence */
export function submitterOf(
  { isPartners, submittedBy }: Pick<ReviewData, 'isPartners' | 'submittedBy'>,
  article: 'the' | 'The' = 'The',
): string {
  return isPartners ? `${article} partner` : (submittedBy?.name ?? `${article} system`);
}

/** The edit that waits for review beside the registration in force. */
export function waitingEditOf(client: ClientData): ReviewData | undefined {
  return isInForce(client) ? openReviewOf(client) : undefined;
}
