/** Label and colour of a series, and the requests that it counts or comes from. */
export interface SeriesLook {
  label: string;
  color: string;
  behind: RequestsBehind;
}

const GOOD = 'var(--chart-good)';
const SECOND = 'var(--chart-second)';
const THIRD = 'var(--chart-third)';
const BAD = 'var(--chart-bad)';

export const TOKEN_LOOKS: Record<string, SeriesLook> = {
  exchanged: { label: 'Exchanged', color: GOOD, behind: { operation: 'token.exchange', outcome: 'ok' } },
  refreshed: { label: 'Refreshed', color: SECOND, behind: { operation: 'token.refresh', outcome: 'ok' } },
  refused: { label: 'Refused', color: BAD, behind: { operation: 'token', outcome: 'failed' } },
};

export const CALL_LOOKS: Record<string, SeriesLook> = {
  '2xx': { label: 'Succeeded (2xx)', color: GOOD, behind: { operation: 'fan', status: '2xx' } },
  '4xx': { label: 'Refused (4xx)', color: THIRD, behind: { operation: 'fan', status: '4xx' } },
  '5xx': { label: 'Failed (5xx)', color: BAD, behind: { operation: 'fan', status: '5xx' } },
};

/** Transactions, of which one request may have several. */
const SIGNING = { operation: 'listings.sign', outcome: 'ok' };
export const SIGNATURE_LOOKS: Record<string, SeriesLook> = {
  list: { label: 'Listings', color: GOOD, behind: SIGNING },
  cancel: { label: 'Cancellations', color: SECOND, behind: SIGNING },
};

/** Claims, of which one request may have several. */
const CLAIMING = { operation: 'claims.execute' };
export const CLAIM_LOOKS: Record<string, SeriesLook> = {
  pending: { label: 'Pending', color: THIRD, behind: CLAIMING },
  submitted: { label: 'Submitted', color: SECOND, behind: CLAIMING },
  confirmed: { label: 'Confirmed', color: GOOD, behind: CLAIMING },
  failed: { label: 'Failed', color: BAD, behind: CLAIMING },
};

const PRODUCTION = { outcome: 'ok', mode: 'PRODUCTION' };
export const SMS_LOOKS: Record<string, SeriesLook> = {
  sent: { label: 'Sent', color: SECOND, behind: { operation: 'login.phone.sendCode', ...PRODUCTION } },
  verified: { label: 'Entered', color: GOOD, behind: { operation: 'login.phone.verifyCode', ...PRODUCTION } },
};

/** The steps of a sign-in, in order. */
export const FUNNEL_STEPS: Record<string, { label: string; operation: string }> = {
  started: { label: 'Sign-in started', operation: 'authorize.start' },
  code_sent: { label: 'Code sent', operation: 'login.phone.sendCode' },
  verified: { label: 'Phone number verified', operation: 'login.phone.verifyCode' },
  consented: { label: 'Access allowed', operation: 'login.consent.grant' },
  tokens: { label: 'Code exchanged for tokens', operation: 'token.exchange' },
};

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

/** The total of all series. */
export function sumOf(series: readonly SeriesData[]): number {
  return series.reduce((sum, { total }) => sum + total, 0);
}

/** `84%`, with a decimal near 0 and 100, so that a few are not shown as none; `–` where the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  const isNearEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${isNearEnd ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** Which requests a figure counts, as filters of the list of requests. */
export interface RequestsBehind {
  operation?: string;
  outcome?: string;
  status?: string;
  client?: string;
  mode?: string;
  /** Whole minutes. */
  from?: string;
  to?: string;
}

/** The list of the requests behind a figure. */
export function requestsHref({ from, to, ...filters }: RequestsBehind): string {
  const query = new URLSearchParams();
  const moments = { from: from?.slice(0, 16), to: to?.slice(0, 16) };
  for (const [name, value] of Object.entries({ ...filters, ...moments })) if (value) query.set(name, value);
  return `/requests?${query}`;
}
