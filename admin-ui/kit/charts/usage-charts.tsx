import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { Funnel, Refusals } from './bars.tsx';
import { ChartSection } from './chart-section.tsx';
import { CALL_LOOKS, CLAIM_LOOKS, type Period, type SeriesData, SIGNATURE_LOOKS, TOKEN_LOOKS } from './looks.ts';

/** Counts of one client, or of all. */
export interface Usage {
  buckets: readonly string[];
  funnel: readonly SeriesData[];
  tokens: readonly SeriesData[];
  calls: readonly SeriesData[];
  signatures: readonly SeriesData[];
  refusals: readonly SeriesData[];
  claims: readonly SeriesData[];
}

interface UsageChartsProps {
  of: Usage;
  period: Period;
  /** `client_…`; empty for all. */
  client: string;
  /** A further chart, after that of tokens. */
  fourth?: ReactNode;
  /** Over the whole width, at the end. */
  children: ReactNode;
}

/** Sign-ins, calls, tokens, co-signatures and claims, each chart with links to the requests behind it. */
export function UsageCharts({ of, period, client, fourth, children }: UsageChartsProps) {
  const time = { buckets: of.buckets, period, within: { client } };
  // the last bucket is not over, so the period has no end yet
  const within = { client, from: of.buckets[0] ?? '' };
  return (
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
      {children}
    </SimpleGrid>
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

/** Figures side by side. */
export function Figures({ figures }: { figures: readonly { label: string; figure: string }[] }) {
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
