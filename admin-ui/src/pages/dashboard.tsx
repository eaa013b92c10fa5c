import { Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { FindSelect } from '../choosing/find-select.tsx';
import { useClients } from '../choosing/use-found.ts';
import { ChartSection } from '../dashboard/chart-section.tsx';
import { DASHBOARD, type DashboardData, PERIODS, type Period, share, totalOf } from '../dashboard/document.ts';
import { Funnel, Refusals } from '../dashboard/funnel.tsx';
import { CALL_LOOKS, CLAIM_LOOKS, SIGNATURE_LOOKS, SMS_LOOKS, TOKEN_LOOKS } from '../dashboard/looks.ts';
import { useView } from '../data/view.ts';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { Page } from '../parts/page.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';

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
    <Page title="Dashboard" description={`What happened in ${description}. Moments are in UTC.`}>
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
          nothingFound="No client has this in its name or as its client_id."
        />
      </Group>
      <FailureAlert failure={view.error} title="The dashboard could not be read" retry={view.refetch} />
      {view.data ? (
        <div className="table-frame" data-stale={view.isPlaceholderData || undefined}>
          <Charts of={view.data.dashboard} period={period} />
        </div>
      ) : (
        !view.error && <ViewLoading />
      )}
    </Page>
  );
}

function Charts({ of, period }: { of: DashboardData; period: Period }) {
  const time = { buckets: of.buckets, period };
  const started = totalOf(of.funnel, 'started');
  const calls = of.calls.reduce((sum, { total }) => sum + total, 0);
  const [sent, typed] = [totalOf(of.sms, 'sent'), totalOf(of.sms, 'verified')];
  const figures = [
    { label: 'sign-ins began', figure: started.toLocaleString('en') },
    { label: 'of them got tokens', figure: share(totalOf(of.funnel, 'tokens'), started) },
    { label: 'calls of the API', figure: calls.toLocaleString('en') },
    { label: 'of them failed (5xx)', figure: share(totalOf(of.calls, '5xx'), calls) },
    { label: 'of the codes by SMS were typed in', figure: share(typed, sent) },
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
        <Funnel series={of.funnel} />
        <ChartSection
          {...time}
          title="API calls by status"
          description="Tickets, co-signatures and claims of the Fan API."
          series={of.calls}
          looks={CALL_LOOKS}
          empty="The Fan API was not called. It is, once a client has tokens: GET /tickets is the first call of most."
        />
        <ChartSection
          {...time}
          title="Tokens"
          description="Answers of the token endpoint."
          series={of.tokens}
          looks={TOKEN_LOOKS}
          empty="Nobody came for tokens. A code is exchanged after each sign-in; refreshes follow."
        />
        <ChartSection
          {...time}
          title="Codes by SMS"
          description="Production only: sandbox codes are static and never sent."
          series={of.sms}
          looks={SMS_LOOKS}
          stacked={false}
          empty="No code was sent: no fan typed a phone number in at a production client."
        >
          <Text size="sm">{share(typed, sent)} of the codes that were sent were typed in.</Text>
        </ChartSection>
        <ChartSection
          {...time}
          title="Co-signatures"
          description="Listing transactions that were co-signed."
          series={of.signatures}
          looks={SIGNATURE_LOOKS}
          empty="Nothing was co-signed. Partners ask for it with POST /authorizations."
        />
        <Refusals series={of.refusals} />
        <ChartSection
          {...time}
          title="Claims by state"
          description="Each claim in the state that it has now, when it came to it."
          series={of.claims}
          looks={CLAIM_LOOKS}
          empty="No ticket was claimed. Partners do it with POST /claims/execute."
        />
      </SimpleGrid>
    </>
  );
}
