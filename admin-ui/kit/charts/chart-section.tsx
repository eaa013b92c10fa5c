import { Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Section } from '../parts/page.tsx';
import { Quiet } from '../parts/values.tsx';
import {
  bucketEnd,
  bucketName,
  type Period,
  type RequestsBehind,
  requestsHref,
  type SeriesData,
  type SeriesLook,
} from './looks.ts';

const TimeBars = lazy(async () => ({ default: (await import('./time-bars.tsx')).TimeBars }));

interface ChartSectionProps {
  title: string;
  description: string;
  buckets: readonly string[];
  period: Period;
  /** Whose requests are counted. */
  within: RequestsBehind;
  series: readonly SeriesData[];
  looks: Record<string, SeriesLook>;
  /** Whether the series are parts of a whole; if not, their bars are side by side. */
  stacked?: boolean;
  /** Shown instead of the chart where all counts are 0. */
  empty: string;
  children?: ReactNode;
}

/** Counts over time, as bars and as a table. */
export function ChartSection(props: ChartSectionProps) {
  const { title, description, buckets, period, within, series, looks, stacked = true, empty, children } = props;
  const nothing = series.every(({ total }) => total === 0);
  const named = series.map((each) => ({
    ...each,
    ...(looks[each.name] ?? { label: each.name, color: GREY, behind: {} }),
  }));
  const hrefOf = ({ behind }: SeriesLook, bucket: number) => {
    const from = buckets[bucket] ?? '';
    return requestsHref({ ...within, ...behind, from, to: bucketEnd(from, period) });
  };
  return (
    <Section title={title} description={description}>
      {nothing ? (
        <Quiet>{empty}</Quiet>
      ) : (
        <>
          <ul className="legend">
            {named.map(({ name, label, color, total }) => (
              <li key={name}>
                <span className="swatch" style={{ background: color }} aria-hidden />
                {label} <strong>{total.toLocaleString('en')}</strong>
              </li>
            ))}
          </ul>
          <div className="chart-frame">
            <Suspense fallback={<Skeleton height={220} />}>
              <TimeBars
                title={title}
                names={buckets.map((at) => bucketName(at, period))}
                series={named}
                stacked={stacked}
                hrefOf={hrefOf}
              />
            </Suspense>
          </div>
          {children}
          <FiguresTable caption={title} buckets={buckets} period={period} series={named} />
        </>
      )}
    </Section>
  );
}

const GREY = 'var(--muted)';

interface FiguresTableProps {
  caption: string;
  buckets: readonly string[];
  period: Period;
  series: readonly (SeriesData & SeriesLook)[];
}

function FiguresTable({ caption, buckets, period, series }: FiguresTableProps) {
  return (
    <details>
      <summary>{caption} as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <section className="scroll-area" aria-label={`${caption}: figures`} tabIndex={0}>
        <table className="figures-table">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">From (UTC)</th>
              {series.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map((at, index) => (
              <tr key={at}>
                <th scope="row">
                  <time dateTime={at}>{bucketName(at, period)}</time>
                </th>
                {series.map(({ name, values }) => (
                  <td key={name}>{(values[index] ?? 0).toLocaleString('en')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
