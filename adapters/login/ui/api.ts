/** The calls of the login pages to their server: tRPC, one request per call, bound to the session by header and cookie. */
import { createTRPCUntypedClient, httpLink } from '@trpc/client';

export type Session = {
  sessionId: string;
  step: 'phone' | 'code' | 'consent' | 'done';
  clientName: string;
  mode: 'sandbox' | 'production';
  loginHint: string | null;
  uiLocales: string | null;
  /** Masked, such as `+1 ••• ••• 0142`. */
  phone: string | null;
  /** ISO 8601. */
  resendAt: string | null;
  /** ISO 8601. */
  expiresAt: string;
  triesLeft: number;
};

export type TicketOption = {
  id: string;
  eventName: string;
  ticketTypeName: string;
  /** ISO 8601. */
  startsAt: string;
  venue: string | null;
};

export type ConsentOptions = { actions: string[]; tickets: TicketOption[] };

export type Grant = { actions: string[]; mode: 'all_current_future' | 'selected'; ticketIds: string[] };

export type LoginApi = {
  session(): Promise<Session>;
  sendCode(phone: string): Promise<unknown>;
  verifyCode(code: string): Promise<unknown>;
  consentOptions(): Promise<ConsentOptions>;
  grant(grant: Grant): Promise<{ redirectTo: string }>;
  deny(): Promise<{ redirectTo: string }>;
  /** The server's time in milliseconds, as far as its answers tell: a phone's own clock may be minutes off. */
  now(): number;
};

/** @param base the address of the login pages, with a trailing slash */
export function createLoginApi(base: string, sessionId: string): LoginApi {
  // The Date header has whole seconds only: a small difference is noise.
  const CLOCK_NOISE = 2_000;
  let clockOffset = 0;
  const fetchAndReadClock: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const offset = Date.parse(response.headers.get('date') ?? '') - Date.now();
    if (Math.abs(offset) > CLOCK_NOISE) clockOffset = offset;
    return response;
  };
  const url = new URL('trpc', base).href;
  const link = httpLink({ url, headers: { 'x-session-id': sessionId }, fetch: fetchAndReadClock });
  const client = createTRPCUntypedClient({ links: [link] });
  return {
    session: () => client.query('session.get') as Promise<Session>,
    sendCode: (phone) => client.mutation('phone.sendCode', { phone }),
    verifyCode: (code) => client.mutation('phone.verifyCode', { code }),
    consentOptions: () => client.query('consent.options') as Promise<ConsentOptions>,
    grant: (grant) => client.mutation('consent.grant', grant) as Promise<{ redirectTo: string }>,
    deny: () => client.mutation('consent.deny') as Promise<{ redirectTo: string }>,
    now: () => Date.now() + clockOffset,
  };
}
