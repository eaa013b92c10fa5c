import type { ReactNode } from 'react';
import { Section } from '../parts/page.tsx';
import { Quiet } from '../parts/text.tsx';
import {
  bucketEnd,
  bucketName,
  type Period,
  type RequestsBehind,
  requestsHref,
  type SeriesData,
  type SeriesLook,
} from './looks.ts';
import { TimeBars } from './time-bars.tsx';

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
          <TimeBars
            title={title}
            names={buckets.map((at) => bucketName(at, period))}
            series={named}
            stacked={stacked}
            hrefOf={hrefOf}
          />
          {children}
          <details>
            <summary>{title} as a table</summary>
            <FiguresTable
              caption={title}
              label={`${title}: figures`}
              headers={['From (UTC)', ...named.map(({ label }) => label)]}
              rows={buckets.map((at, index) => ({
                key: at,
                name: <time dateTime={at}>{bucketName(at, period)}</time>,
                figures: named.map(({ values }) => (values[index] ?? 0).toLocaleString('en')),
              }))}
            />
          </details>
        </>
      )}
    </Section>
  );
}

const GREY = 'var(--muted)';

interface FiguresTableProps {
  caption: string;
  /** Of the area that scrolls. */
  label: string;
  headers: readonly string[];
  rows: readonly { key: string; name: ReactNode; figures: readonly string[] }[];
  className?: string;
}

/** Figures in rows and columns, in an area that scrolls. */
export function FiguresTable({ caption, label, headers, rows, className = '' }: FiguresTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
    <section className="scroll-area" aria-label={label} tabIndex={0}>
      <table className={`figures-table ${className}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {figures.map((figure, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
                <td key={index}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
