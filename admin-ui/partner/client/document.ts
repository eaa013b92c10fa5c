import type { ResultOf } from 'gql.tada';
import type { EditedClient } from '../../kit/client/registration.ts';
import { LINT_FIELDS } from '../../kit/client/use-edit.ts';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

export const CLIENT = graphql(`
  query Client($id: ID!) {
    client(id: $id) {
      id name mode status redirectUris scopes corsOrigins loopbackAnyPort refreshRetryWindow privacyUrl
      createdAt updatedAt version isStopped grantCount endedGrantCount
      claimCounts { state count }
      goLive { name says done isNext isYours }
      openReview { id submittedBy registration { redirectUris scopes loopbackAnyPort privacyUrl } changes { field before after } }
      reviews { id submittedAt submittedBy note decision decidedAt reason changes { field before after } }
    }
  }
`);

export type ClientData = NonNullable<ResultOf<typeof CLIENT>['client']>;
export type ReviewData = ClientData['reviews'][number];

/** Checks a registration with the service's rules, without registering it. */
export const LINT = graphql(`
  query LintRegistration($registration: ClientRegistration!) {
    lintRegistration(registration: $registration) { ${LINT_FIELDS} }
  }
`);

const SCOPES = graphql(`
  query Scopes {
    scopes { name group says isAction inUse }
  }
`);

/** All scopes; they change only with a release. */
export function useScopes() {
  return useView('scopes', SCOPES, {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** Whether the client's registration is in force: approved, and changed only by a review. */
export function isInForce({ status }: Pick<ClientData, 'status'>): boolean {
  return status === 'APPROVED' || status === 'ENABLED' || status === 'SUSPENDED';
}

/** The client for an edit of it, which goes on from one that waits. */
export function editedOf(client: ClientData): EditedClient {
  const { name, refreshRetryWindow, mode, version, updatedAt } = client;
  const waiting = isInForce(client) ? client.openReview : null;
  const { redirectUris, scopes, loopbackAnyPort, privacyUrl } = waiting?.registration ?? client;
  return {
    ...{ mode, version, updatedAt },
    registration: { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow, privacyUrl },
    isInForce: isInForce(client),
    isWaiting: waiting !== null,
  };
}
