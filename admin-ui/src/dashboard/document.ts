import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

export const DASHBOARD = graphql(`
  query Dashboard($clientId: ID, $period: Period!) {
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

export type DashboardData = ResultOf<typeof DASHBOARD>['dashboard'];
