/** Label and colour of a series. */
export interface SeriesLook {
  label: string;
  color: string;
}

const GOOD = 'var(--chart-good)';
const SECOND = 'var(--chart-second)';
const THIRD = 'var(--chart-third)';
const BAD = 'var(--chart-bad)';

export const TOKEN_LOOKS: Record<string, SeriesLook> = {
  exchanged: { label: 'Exchanged', color: GOOD },
  refreshed: { label: 'Refreshed', color: SECOND },
  refused: { label: 'Refused', color: BAD },
};

export const CALL_LOOKS: Record<string, SeriesLook> = {
  '2xx': { label: 'Answered (2xx)', color: GOOD },
  '4xx': { label: 'Refused (4xx)', color: THIRD },
  '5xx': { label: 'Failed (5xx)', color: BAD },
};

export const SIGNATURE_LOOKS: Record<string, SeriesLook> = {
  list: { label: 'Listings', color: GOOD },
  cancel: { label: 'Cancellations', color: SECOND },
};

export const CLAIM_LOOKS: Record<string, SeriesLook> = {
  pending: { label: 'Pending', color: THIRD },
  submitted: { label: 'Submitted', color: SECOND },
  confirmed: { label: 'Confirmed', color: GOOD },
  failed: { label: 'Failed', color: BAD },
};

export const SMS_LOOKS: Record<string, SeriesLook> = {
  sent: { label: 'Sent', color: SECOND },
  verified: { label: 'Typed in', color: GOOD },
};

/** The steps of a sign-in, in their order. */
export const FUNNEL_STEPS: Record<string, string> = {
  started: 'Sent to sign in',
  code_sent: 'Code sent',
  verified: 'Phone verified',
  consented: 'Consented',
  tokens: 'Code exchanged for tokens',
};
