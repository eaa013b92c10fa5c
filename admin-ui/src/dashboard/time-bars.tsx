import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { SeriesData } from './document.ts';
import type { SeriesLook } from './looks.ts';

interface TimeBarsProps {
  /** Of the buckets. */
  names: readonly string[];
  series: readonly (SeriesData & SeriesLook)[];
  stacked: boolean;
}

/** The bars. The charting library is a script of its own, loaded when there is something to draw. */
export function TimeBars({ names, series, stacked }: TimeBarsProps) {
  const data = names.map((bucket, index) => ({
    bucket,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[index] ?? 0])),
  }));
  return (
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
      barProps={{ isAnimationActive: false }}
    />
  );
}
