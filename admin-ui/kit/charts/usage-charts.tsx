import { Paper, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Funnel, Refusals } from './bars.tsx';
import { ChartSection } from './chart-section.tsx';
import { Latencies } from './latency.tsx';
import {
  CALL_LOOKS,
  CLAIM_LOOKS,
  PERIODS,
  type Period,
  type SeriesData,
  SIGNATURE_LOOKS,
  share,
  sumOf,
  TOKEN_LOOKS,
  totalOf,
} from './looks.ts';

/** The period that the address names; the last day by default. */
export function periodIn(text: string | null) {
  return PERIODS.find(({ value }) => value === text) ?? PERIODS[1];
}

/** Chooses the period of charts. */
export function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: string) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      data={PERIODS.map(({ value: period, label }) => ({ value: period, label }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** Counts of one client, or of all. */
interface Usage {
  buckets: readonly string[];
  funnel: readonly SeriesData[];
  tokens: readonly SeriesData[];
  calls: readonly SeriesData[];
  signatures: readonly SeriesData[];
  refusals: readonly SeriesData[];
  claims: readonly SeriesData[];
  latency: Parameters<typeof Latencies>[0]['of'];
  /** Since when that is measured, where not for the whole period. */
  latencySince?: string | null;
}

interface UsageChartsProps {
  of: Usage;
  period: Period;
  /** `client_…`; empty for all. */
  client: string;
  /** Further figures. */
  figures: readonly Figure[];
  /** A further chart, after that of tokens. */
  fourth?: ReactNode;
}

/** Sign-ins, calls, tokens, co-signatures and claims: figures, and charts with links to the requests behind them. */
export function UsageCharts({ of, period, client, figures, fourth }: UsageChartsProps) {
  const time = { buckets: of.buckets, period, within: { client } };
  // the last bucket is not over, so the period has no end yet
  const within = { client, from: of.buckets[0] ?? '' };
  const started = totalOf(of.funnel, 'started');
  const common = [
    { label: 'Sign-ins started', figure: started.toLocaleString('en') },
    { label: 'Code exchanges per sign-in started', figure: share(totalOf(of.funnel, 'tokens'), started) },
    { label: 'Fan API calls', figure: sumOf(of.calls).toLocaleString('en') },
  ];
  return (
    <Stack gap="md">
      <Figures figures={[...common, ...figures]} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" className="charts">
        <Funnel series={of.funnel} within={within} />
        <CallsChart {...time} series={of.calls} />
        <ChartSection
          {...time}
          title="Tokens"
          description="Calls to the token endpoint, by result."
          series={of.tokens}
          looks={TOKEN_LOOKS}
          empty="No calls to the token endpoint. Apps exchange a code after each sign-in, then refresh their tokens."
        />
        {fourth}
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
        <Latencies of={of.latency} since={of.latencySince ?? null} within={within} />
      </SimpleGrid>
    </Stack>
  );
}

interface CallsChartProps {
  buckets: readonly string[];
  period: Period;
  within: { client: string };
  series: readonly SeriesData[];
}

/** Calls of the Fan API: how many were answered, refused and failed. */
export function CallsChart(props: CallsChartProps) {
  return (
    <ChartSection
      {...props}
      title="Fan API calls by status"
      description="Tickets, co-signatures and claims."
      looks={CALL_LOOKS}
      empty="No Fan API calls. Most apps start with GET /tickets once they have tokens."
    />
  );
}

interface Figure {
  label: string;
  figure: string;
}

/** Figures side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <ul className="figures" aria-label="Figures">
      {figures.map(({ label, figure }) => (
        <Paper key={label} component="li" withBorder px="md" py="sm" c="dimmed" fz="sm" className="figure-card">
          <span className="figure">{figure}</span> <span>{label}</span>
        </Paper>
      ))}
    </ul>
  );
}
