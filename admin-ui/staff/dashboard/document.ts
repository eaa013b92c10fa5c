import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

/** The runs that are looked through for failures. */
const NEWEST_RUNS = 50;

export const HOME = graphql(`
  query Home($clientId: ID, $period: Period!) {
    stuck: claims(stuck: true, first: 1, sort: CREATED) { totalCount nodes { createdAt } }
    unread: permits(unread: true, first: 0) { totalCount }
    waiting: permits(state: WAITING, first: 1, sort: CREATED) { totalCount nodes { waiting { since isSetAside } } }
    setAside: permits(setAside: true, first: 0) { totalCount }
    importRuns(first: ${NEWEST_RUNS}) { nodes { id fileName state failed startedAt } }
    failingClients { client { id name } calls failed }
    failingJobs
    verification { sentToday breakers { country openedAt } limits { perDay } }
    reviewQueue(first: 3) { totalCount nodes { mayApprove submittedAt client { id name } } }
    proposalQueue(first: 3) { totalCount nodes { id title proposedAt isYours } }
    approved: clients(first: 3, status: [APPROVED], sort: UPDATED) { totalCount nodes { id name updatedAt } }
    dashboard(clientId: $clientId, period: $period) {
      buckets
      funnel { name total values }
      tokens { name total values }
      calls { name total values }
      signatures { name total values }
      refusals { name total values }
      claims { name total values }
      sms { name total values }
      latency { operation label count p50 p95 p99 }
      latencySince
    }
  }
`);

export type HomeData = ResultOf<typeof HOME>;
