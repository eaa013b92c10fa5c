import { Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { ChartSection } from '../../../console-kit/charts/chart-section.tsx';
import { Funnel, Refusals } from '../../../console-kit/charts/funnel.tsx';
import { CALL_LOOKS, CLAIM_LOOKS, SIGNATURE_LOOKS, SMS_LOOKS, TOKEN_LOOKS } from '../../../console-kit/charts/looks.ts';
import { PERIODS, type Period, share, totalOf } from '../../../console-kit/charts/series.ts';
import { useView } from '../../../console-kit/data/view.ts';
import { FailureAlert } from '../../../console-kit/parts/failure-alert.tsx';
import { Page } from '../../../console-kit/parts/page.tsx';
import { ViewLoading } from '../../../console-kit/parts/view-loading.tsx';
import { FindSelect } from '../choosing/find-select.tsx';
import { useClients } from '../choosing/use-found.ts';
import { DASHBOARD, type DashboardData } from '../dashboard/document.ts';
import { Latencies } from '../dashboard/latency.tsx';

const REFRESH_MS = 30_000;

/** Figures and charts of all clients, or of `?client=client_…`; `?period=HOUR`, `DAY` or `MONTH`. */
export function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const client = params.get('client') ?? '';
  const { value: period, description } = PERIODS.find(({ value }) => value === params.get('period')) ?? PERIODS[1];
  const variables = { clientId: client === '' ? null : client, period };
  const view = useView('dashboard', DASHBOARD, variables, { refetchInterval: REFRESH_MS });
  const change = (changes: { client?: string; period?: string }) => {
    const next = { client, period, ...changes };
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), { replace: true });
  };
  return (
    <Page title="Dashboard" description={`${description} Times are in UTC.`}>
      <Group gap="xs" align="center">
        <SegmentedControl
          aria-label="Period"
          data={PERIODS.map(({ value, label }) => ({ value, label }))}
          value={period}
          onChange={(next) => change({ period: next })}
        />
        <FindSelect
          isFilter
          label="Client"
          value={client}
          onChange={(next) => change({ client: next })}
          useFound={useClients}
          nothingFound="No client has this name or client_id."
        />
      </Group>
      <FailureAlert failure={view.error} title="The dashboard could not be loaded" retry={view.refetch} />
      {view.data ? (
        <div className="table-frame" data-stale={view.isPlaceholderData || undefined}>
          <Charts of={view.data.dashboard} period={period} client={client} />
        </div>
      ) : (
        !view.error && <ViewLoading />
      )}
    </Page>
  );
}

function Charts({ of, period, client }: { of: DashboardData; period: Period; client: string }) {
  const time = { buckets: of.buckets, period, within: { client } };
  // the last bucket is not over, so the period has no end yet
  const within = { client, from: of.buckets[0] ?? '' };
  const started = totalOf(of.funnel, 'started');
  const calls = of.calls.reduce((sum, { total }) => sum + total, 0);
  const [sent, typed] = [totalOf(of.sms, 'sent'), totalOf(of.sms, 'verified')];
  const figures = [
    { label: 'Sign-ins started', figure: started.toLocaleString('en') },
    { label: 'Code exchanges per sign-in started', figure: share(totalOf(of.funnel, 'tokens'), started) },
    { label: 'Fan API calls', figure: calls.toLocaleString('en') },
    { label: 'Fan API calls that failed (5xx)', figure: share(totalOf(of.calls, '5xx'), calls) },
    { label: 'SMS codes entered', figure: share(typed, sent) },
  ];
  return (
    <>
      <ul className="figures" aria-label="Figures">
        {figures.map(({ label, figure }) => (
          <li key={label} className="figure-card">
            <span className="figure">{figure}</span> <span>{label}</span>
          </li>
        ))}
      </ul>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" mt="md" className="charts">
        <Funnel series={of.funnel} within={within} />
        <ChartSection
          {...time}
          title="Fan API calls by status"
          description="Tickets, co-signatures and claims."
          series={of.calls}
          looks={CALL_LOOKS}
          empty="No Fan API calls. Most apps start with GET /tickets once they have tokens."
        />
        <ChartSection
          {...time}
          title="Tokens"
          description="Calls to the token endpoint, by result."
          series={of.tokens}
          looks={TOKEN_LOOKS}
          empty="No calls to the token endpoint. Apps exchange a code after each sign-in, then refresh their tokens."
        />
        <ChartSection
          {...time}
          title="SMS codes"
          description="Production only: sandbox codes are fixed and never sent."
          series={of.sms}
          looks={SMS_LOOKS}
          stacked={false}
          empty="No codes were sent. Codes are sent when fans sign in to production clients."
        >
          <Text size="sm">Fans entered {share(typed, sent)} of the codes sent.</Text>
        </ChartSection>
        <ChartSection
          {...time}
          title="Co-signatures"
          description="Transactions co-signed. A call can have up to 4."
          series={of.signatures}
          looks={SIGNATURE_LOOKS}
          empty="No transactions were co-signed. Apps request it with POST /authorizations."
        />
        <Refusals series={of.refusals} within={within} />
        <ChartSection
          {...time}
          title="Claims by state"
          description="Claims by their current state, at the time they reached it. A call can have up to 10."
          series={of.claims}
          looks={CLAIM_LOOKS}
          empty="No tickets were claimed. Apps claim with POST /claims/execute."
        />
        <Latencies of={of.latency} since={of.latencySince} within={within} />
      </SimpleGrid>
    </>
  );
}
