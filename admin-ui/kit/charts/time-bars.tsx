import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { KeyboardEvent } from 'react';
import { type BarShapeProps, Rectangle } from 'recharts';
import { Link } from 'wouter';
import type { SeriesData, SeriesLook } from './looks.ts';

interface TimeBarsProps {
  title: string;
  /** Of the buckets. */
  names: readonly string[];
  series: readonly (SeriesData & SeriesLook)[];
  stacked: boolean;
  /** The list of the requests behind one bar. */
  hrefOf: (series: SeriesLook, bucket: number) => string;
}

/**
 * The bars, each a link to the requests behind it. The charting library is a script of its own, loaded when there is
 * something to draw.
 */
export function TimeBars({ title, names, series, stacked, hrefOf }: TimeBarsProps) {
  const data = names.map((bucket, index) => ({
    bucket,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[index] ?? 0])),
  }));
  const first = series.findIndex(({ total }) => total > 0);
  const shapeOf = (of: SeriesData & SeriesLook, isFirst: boolean) => (bar: BarShapeProps) => {
    const { index } = bar;
    const count = of.values[index] ?? 0;
    if (count === 0) return <g />;
    return (
      <Link
        href={hrefOf(of, index)}
        className="bar-link"
        aria-label={`${names[index]}, ${of.label}: ${count.toLocaleString('en')}`}
        tabIndex={isFirst && index === of.values.findIndex((value) => value > 0) ? 0 : -1}
      >
        <Rectangle {...bar} />
      </Link>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would hold fields
    <div role="group" aria-label={`${title}: bars`} onKeyDown={moveFocus}>
      <BarChart
        h={220}
        data={data}
        dataKey="bucket"
        type={stacked ? 'stacked' : 'default'}
        series={series.map(({ name, label, color }) => ({ name, label, color }))}
        accessibilityLayer={false}
        maxBarWidth={28}
        tickLine="none"
        valueFormatter={(value) => value.toLocaleString('en')}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 22 }}
        barProps={({ name }) => {
          const at = series.findIndex((each) => each.name === name);
          const of = series[at];
          return { isAnimationActive: false, ...(of && { shape: shapeOf(of, at === first) }) };
        }}
      />
    </div>
  );
}

/** One bar of a chart is in the tab order; the arrow keys lead to the others. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<SVGAElement>('.bar-link')];
  const at = links.indexOf(document.activeElement as SVGAElement);
  const next = links[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  for (const link of links) link.setAttribute('tabindex', link === next ? '0' : '-1');
  next.focus();
}
