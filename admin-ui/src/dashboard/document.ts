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
    }
  }
`);

export type DashboardData = ResultOf<typeof DASHBOARD>['dashboard'];
export type SeriesData = DashboardData['calls'][number];

export const PERIODS = [
  { value: 'HOUR', label: 'Last hour', description: 'the last hour, by five minutes' },
  { value: 'DAY', label: 'Last day', description: 'the last 24 hours, by the hour' },
  { value: 'MONTH', label: 'Last 30 days', description: 'the last 30 days, by days of UTC' },
] as const;

export type Period = (typeof PERIODS)[number]['value'];

/** The beginning of a bucket in UTC, as short as the period allows. */
export function bucketName(at: string, period: Period): string {
  return period === 'MONTH' ? DATE.format(new Date(at)) : at.slice(11, 16);
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The total of a series; 0 without such a series. */
export function totalOf(series: readonly SeriesData[], name: string): number {
  return series.find((each) => each.name === name)?.total ?? 0;
}

/** `84 %`, with a decimal near 0 and 100, so that a few are not shown as none; `–` where the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  const isNearEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${isNearEnd ? percent.toFixed(1) : Math.round(percent)} %`;
}
