import { Text } from '@mantine/core';
import { Section, ViewLink } from '../parts/page.tsx';
import { Quiet } from '../parts/text.tsx';
import { inUtc } from '../parts/values.tsx';
import { FiguresTable } from './chart-section.tsx';
import { type RequestsBehind, requestsHref } from './looks.ts';

interface LatenciesProps {
  of: readonly { operation: string; label: string; count: number; p50: number; p95: number; p99: number }[];
  since: string | null;
  /** The client and the time of what is measured. */
  within: RequestsBehind;
}

/** How long calls took, by operation. */
export function Latencies({ of, since, within }: LatenciesProps) {
  return (
    <Section
      title="Latency"
      description="Time from call to answer, including refused calls. Half of the calls were faster than p50; 1 in 20 was slower than p95, 1 in 100 than p99. Figures are within 12.5%."
    >
      {since !== null && <Text size="sm">Measured since {inUtc(since)}.</Text>}
      {of.length === 0 ? (
        <Quiet>No calls were measured.</Quiet>
      ) : (
        <FiguresTable
          caption="Latency by operation"
          label="Latency: figures"
          headers={['Operation', 'Calls', 'p50', 'p95', 'p99']}
          rows={of.map(({ operation, label, count, p50, p95, p99 }) => ({
            key: operation,
            name: <ViewLink href={requestsHref({ ...within, operation })}>{label}</ViewLink>,
            figures: [
              count.toLocaleString('en'),
              ...[p50, p95, p99].map((milliseconds) => `${milliseconds.toLocaleString('en')} ms`),
            ],
          }))}
          className="latencies"
        />
      )}
    </Section>
  );
}
