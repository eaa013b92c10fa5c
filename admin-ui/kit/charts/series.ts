/** Counts over the buckets of a period, and together. */
export interface SeriesData {
  name: string;
  total: number;
  values: readonly number[];
}

export const PERIODS = [
  { value: 'HOUR', label: 'Last hour', description: 'The last hour, in steps of 5 minutes.', minutes: 5 },
  { value: 'DAY', label: 'Last 24 hours', description: 'The last 24 hours, by hour.', minutes: 60 },
  { value: 'MONTH', label: 'Last 30 days', description: 'The last 30 days, by UTC day.', minutes: 1440 },
] as const;

export type Period = (typeof PERIODS)[number]['value'];

/** The beginning of a bucket in UTC, as short as the period allows. */
export function bucketName(at: string, period: Period): string {
  return period === 'MONTH' ? DATE.format(new Date(at)) : at.slice(11, 16);
}

/** The end of a bucket, exclusive. */
export function bucketEnd(at: string, period: Period): string {
  const { minutes } = PERIODS.find(({ value }) => value === period) ?? PERIODS[0];
  return new Date(new Date(at).getTime() + minutes * 60_000).toISOString();
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The total of a series; 0 without such a series. */
export function totalOf(series: readonly SeriesData[], name: string): number {
  return series.find((each) => each.name === name)?.total ?? 0;
}

/** `84%`, with a decimal near 0 and 100, so that a few are not shown as none; `–` where the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  const isNearEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${isNearEnd ? percent.toFixed(1) : Math.round(percent)}%`;
}
