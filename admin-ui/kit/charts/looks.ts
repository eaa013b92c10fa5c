import type { RequestsBehind } from '../requests/requests-behind.ts';

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
