import { Group, Text, Title } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { ChartSection } from '../../kit/charts/chart-section.tsx';
import { type Period, SMS_LOOKS, share, sumOf, totalOf } from '../../kit/charts/looks.ts';
import { PeriodChoice, periodIn, UsageCharts } from '../../kit/charts/usage-charts.tsx';
import { useView } from '../../kit/data/view.ts';
import { Waiting } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { FindSelect, useClients } from '../choosing/find-select.tsx';
import { HOME, type HomeData } from '../dashboard/document.ts';
import { needsOf } from '../dashboard/needs.ts';
import { NeedsList } from '../dashboard/needs-list.tsx';
import { useViewer } from '../data/viewer.ts';
import { useFaults } from '../shell/banners.tsx';

const REFRESH_MS = 30_000;

/**
 * What needs somebody, and the traffic of all clients, or of `?client=client_…`; `?period=HOUR`, `DAY` or `MONTH`. A decision is
 * only shown to those who can take it.
 */
export function HomePage() {
  const [params, setParams] = useSearchParams();
  const client = params.get('client') ?? '';
  const { value: period, description } = periodIn(params.get('period'));
  const variables = { clientId: client === '' ? null : client, period };
  const view = useView('home', HOME, variables, { refetchInterval: REFRESH_MS });
  const faults = useFaults();
  const { has } = useViewer();
  const change = (changes: { client?: string; period?: string }) => {
    const next = { client, period, ...changes };
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), { replace: true });
  };
  const needs = view.data ? needsOf(view.data, Date.now()) : [];
  return (
    <Page title="Home">
      {(view.data || faults.length > 0) && (
        <NeedsList of={[...faults, ...needs.filter(({ decision }) => decision === undefined || has(decision))]} />
      )}
      <Group justify="space-between" align="flex-end" gap="xs">
        <div>
          <Title order={2}>Traffic</Title>
          <Text c="dimmed" size="sm">
            {description} Times are in UTC.
          </Text>
        </div>
        <Group gap="xs" maw="100%">
          <PeriodChoice value={period} onChange={(next) => change({ period: next })} />
          <FindSelect
            isFilter
            label="Client"
            value={client}
            onChange={(next) => change({ client: next })}
            useFound={useClients}
            nothingFound="No client has this name or client_id."
          />
        </Group>
      </Group>
      <Waiting view={view} title="Home could not be loaded" />
      {view.data && (
        <div className="table-frame" data-stale={view.isPlaceholderData || undefined}>
          <Charts of={view.data.dashboard} period={period} client={client} />
        </div>
      )}
    </Page>
  );
}

function Charts({ of, period, client }: { of: HomeData['dashboard']; period: Period; client: string }) {
  const [sent, typed] = [totalOf(of.sms, 'sent'), totalOf(of.sms, 'verified')];
  return (
    <UsageCharts
      of={of}
      period={period}
      client={client}
      figures={[
        { label: 'Fan API calls that failed (5xx)', figure: share(totalOf(of.calls, '5xx'), sumOf(of.calls)) },
        { label: 'SMS codes entered', figure: share(typed, sent) },
      ]}
      fourth={
        <ChartSection
          buckets={of.buckets}
          period={period}
          within={{ client }}
          title="SMS codes"
          description="Production only: sandbox codes are fixed and never sent."
          series={of.sms}
          looks={SMS_LOOKS}
          stacked={false}
          empty="No codes were sent. Codes are sent when fans sign in to production clients."
        >
          <Text size="sm">Fans entered {share(typed, sent)} of the codes sent.</Text>
        </ChartSection>
      }
    />
  );
}
