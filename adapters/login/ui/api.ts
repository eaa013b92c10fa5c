/** The calls of the login pages to their server: tRPC, one request per call, bound to the session by header and cookie. */
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { LoginRouter } from '../router.ts';

type Outputs = inferRouterOutputs<LoginRouter>;

export type Session = Outputs['session']['get'];
export type ConsentOptions = Outputs['consent']['options'];
export type TicketOption = ConsentOptions['tickets'][number];
export type Grant = Required<inferRouterInputs<LoginRouter>['consent']['grant']>;

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

/** The Date header has whole seconds only; a difference below this many milliseconds is noise. */
const CLOCK_NOISE = 2_000;

/** @param base the address of the login pages, with a trailing slash */
export function createLoginApi(base: string, sessionId: string): LoginApi {
  let clockOffset = 0;
  const fetchAndReadClock: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const offset = Date.parse(response.headers.get('date') ?? '') - Date.now();
    if (Math.abs(offset) > CLOCK_NOISE) clockOffset = offset;
    return response;
  };
  const url = new URL('trpc', base).href;
  const link = httpLink({ url, headers: { 'x-session-id': sessionId }, fetch: fetchAndReadClock });
  const client = createTRPCClient<LoginRouter>({ links: [link] });
  return {
    session: () => client.session.get.query(),
    sendCode: (phone) => client.phone.sendCode.mutate({ phone }),
    verifyCode: (code) => client.phone.verifyCode.mutate({ code }),
    consentOptions: () => client.consent.options.query(),
    grant: (grant) => client.consent.grant.mutate(grant),
    deny: () => client.consent.deny.mutate(),
    now: () => Date.now() + clockOffset,
  };
}
