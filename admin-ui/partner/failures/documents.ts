import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';

export const SIMULATION = graphql(`
  query Simulation($id: ID!) {
    failureKinds { failure name title says isState calls { operation label } secondsMean usualSeconds mostSeconds }
    client(id: $id) {
      id name mode
      simulation {
        aheadSeconds hasKey
        armed { failure call timesLeft seconds expiresAt }
        met { failure metAt }
      }
    }
  }
`);

type Found = ResultOf<typeof SIMULATION>;
export type FailureKind = Found['failureKinds'][number];
export type SimulatedClient = NonNullable<Found['client']>;
export type Armed = SimulatedClient['simulation']['armed'][number];

export const ARM = graphql(`
  mutation ArmFailure($clientId: ID!, $failure: Failure!, $operation: String, $times: Int, $seconds: Int, $minutes: Int) {
    armFailure(
      clientId: $clientId, failure: $failure, operation: $operation, times: $times, seconds: $seconds, minutes: $minutes
    ) {
      ${REFUSAL} ... on Client { id }
    }
  }
`);

export const DISARM = graphql(`
  mutation DisarmFailure($clientId: ID!, $failure: Failure!) {
    disarmFailure(clientId: $clientId, failure: $failure) { ${REFUSAL} ... on Client { id } }
  }
`);

export const ADVANCE = graphql(`
  mutation AdvanceClock($clientId: ID!, $aheadSeconds: Int!) {
    advanceClock(clientId: $clientId, aheadSeconds: $aheadSeconds) { ${REFUSAL} ... on Client { id } }
  }
`);

export const END = graphql(`
  mutation EndSimulation($clientId: ID!) {
    endSimulation(clientId: $clientId) { ${REFUSAL} ... on Client { id } }
  }
`);

export const MAKE_KEY = graphql(`
  mutation MakeSandboxKey($clientId: ID!) {
    makeSandboxKey(clientId: $clientId) { ${REFUSAL} ... on SandboxKey { key } }
  }
`);
