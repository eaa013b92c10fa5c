import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

export const RUN = graphql(`
  query GoLiveCheck($id: ID!) {
    goLiveCheck(id: $id) {
      id startedAt expiresAt finishedAt isStale currentCheck
      client { id name }
      productionClient { id name }
      addresses { issuer discoveryUrl apiUrl rpcUrl checksUrl }
      results { name verdict seen startedAt }
    }
    checks { name title does expects how source }
  }
`);

export type RunData = NonNullable<ResultOf<typeof RUN>['goLiveCheck']>;
export type CheckData = ResultOf<typeof RUN>['checks'][number];
export type ResultData = RunData['results'][number];

export const START_RUN = graphql(`
  mutation StartGoLiveCheck($clientId: ID!) {
    startGoLiveCheck(clientId: $clientId) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

export const START_CHECK = graphql(`
  mutation StartCheck($id: ID!, $check: String!) {
    startCheck(id: $id, check: $check) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

export const END_CHECK = graphql(`
  mutation EndCheck($id: ID!) {
    endCheck(id: $id) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

export const ATTACH = graphql(`
  mutation AttachGoLiveCheck($id: ID!, $clientId: ID!) {
    attachGoLiveCheck(id: $id, clientId: $clientId) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);

export const FINISH = graphql(`
  mutation FinishGoLiveCheck($id: ID!) {
    finishGoLiveCheck(id: $id) { ${REFUSAL} ... on GoLiveCheck { id } }
  }
`);
