import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

export const VERIFICATION = graphql(`
  query Verification {
    verification {
      provider sentToday
      breakers { country openedAt retryAt trips trials verified }
      countries { country sent verified }
      limits { perPhone perRange perAddress perClient perDay countries breakerSample breakerPercent }
    }
  }
`);

export type VerificationData = ResultOf<typeof VERIFICATION>['verification'];
export type Breaker = VerificationData['breakers'][number];

export const RETRY = graphql(`
  mutation RetryVerification($country: String, $reason: String!) {
    retryVerification(country: $country, reason: $reason) { ${REFUSAL} ... on VerificationBreaker { retryAt } }
  }
`);
