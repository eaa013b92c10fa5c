import { Text } from '@mantine/core';
import { Section, ViewLink } from '../parts/page.tsx';
import { inUtc, Quiet } from '../parts/values.tsx';
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
        <section className="scroll-area" aria-label="Latency: figures" tabIndex={0}>
          <table className="figures-table latencies">
            <caption className="visually-hidden">Latency by operation</caption>
            <thead>
              <tr>
                <th scope="col">Operation</th>
                {['Calls', 'p50', 'p95', 'p99'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {of.map(({ operation, label, count, p50, p95, p99 }) => (
                <tr key={operation}>
                  <th scope="row">
                    <ViewLink href={requestsHref({ ...within, operation })}>{label}</ViewLink>
                  </th>
                  <td>{count.toLocaleString('en')}</td>
                  {[p50, p95, p99].map((ms, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
                    <td key={index}>{ms.toLocaleString('en')} ms</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
}
