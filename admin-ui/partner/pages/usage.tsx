import { Group, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useSearchParams } from 'wouter';
import { share, sumOf, totalOf } from '../../kit/charts/looks.ts';
import { PeriodChoice, periodIn, UsageCharts } from '../../kit/charts/usage-charts.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { Page, TextLink } from '../../kit/parts/page.tsx';
import { ClientSelect, useUsualClient } from '../client/own-clients.tsx';
import { Limits } from '../usage/limits.tsx';

const USAGE = graphql(`
  query Usage($clientId: ID!, $period: Period!) {
    usage(clientId: $clientId, period: $period) {
      buckets
      funnel { name total values }
      tokens { name total values }
      calls { name total values }
      signatures { name total values }
      refusals { name total values }
      claims { name total values }
      latency { operation label count p50 p95 p99 }
    }
  }
`);

type UsageData = ResultOf<typeof USAGE>['usage'];

const REFRESH_MS = 30_000;

/** Charts of one client, `?client=client_…`; `?period=HOUR`, `DAY` or `MONTH`. And the limits. */
export function UsagePage() {
  const [params, setParams] = useSearchParams();
  const usual = useUsualClient();
  const client = params.get('client') ?? usual.id ?? '';
  const { value: period, description } = periodIn(params.get('period'));
  const view = useView(
    'usage',
    USAGE,
    { clientId: client, period },
    { enabled: client !== '', refetchInterval: REFRESH_MS },
  );
  const change = (changes: { client?: string; period?: string }) =>
    setParams({ client, period, ...changes }, { replace: true });
  return (
    <Page title="Usage and limits" description={`${description} Times are in UTC.`}>
      {usual.isEmpty ? (
        <Text size="sm">
          There is nothing to count yet. <TextLink href="/clients/new">Register a client</TextLink> first.
        </Text>
      ) : (
        <Group gap="xs" align="center">
          <PeriodChoice value={period} onChange={(next) => change({ period: next })} />
          <ClientSelect value={client} onChange={(next) => change({ client: next })} />
        </Group>
      )}
      <FailureAlert failure={view.error} title="The charts could not be loaded" retry={view.refetch} />
      {view.data ? (
        <div className="table-frame" data-stale={view.isPlaceholderData || undefined}>
          <UsageCharts of={view.data.usage} period={period} client={client} figures={[refusedOf(view.data.usage)]} />
        </div>
      ) : (
        !view.error && !usual.isEmpty && <ViewLoading />
      )}
      <Limits />
    </Page>
  );
}

function refusedOf({ calls }: UsageData) {
  return { label: 'Fan API calls that were refused (4xx)', figure: share(totalOf(calls, '4xx'), sumOf(calls)) };
}
