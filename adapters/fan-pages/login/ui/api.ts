/** The calls of the login pages to their server: tRPC, one request per call, bound to the session by header and cookie. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import type { GrantMode } from '../../../../src/entities/consent-grant.ts';
import type { LoginRouter } from '../router.ts';

type Outputs = inferRouterOutputs<LoginRouter>;

export type Session = Outputs['session']['get'];
export type ConsentOptions = Outputs['consent']['options'];
export type Grant = { actions: string[]; mode: GrantMode; ticketIds: string[] };
/** A grant, with the time at which the fan on the page was verified. */
export type GrantBy = Grant & { verifiedAt: string | undefined };

/** The Date header has whole seconds only; a difference below this many milliseconds is noise. */
const CLOCK_NOISE = 2_000;

/** @param base the address of the login pages, with a trailing slash */
export function createLoginApi(base: string, sessionId: string) {
  let clockOffset = 0;
  const link = httpLink({
    url: new URL('trpc', base).href,
    headers: { 'x-session-id': sessionId },
    async fetch(input, init) {
      const response = await fetch(input, { ...init, signal: init?.signal ?? null });
      const offset = Date.parse(response.headers.get('date') ?? '') - Date.now();
      if (Math.abs(offset) > CLOCK_NOISE) clockOffset = offset;
      return response;
    },
  });
  const client = createTRPCClient<LoginRouter>({ links: [link] });
  return {
    session: () => client.session.get.query(),
    sendCode: (phone: string) => client.phone.sendCode.mutate({ phone }),
    verifyCode: (code: string) => client.phone.verifyCode.mutate({ code }),
    askPasskey: () => client.passkey.ask.mutate(),
    answerPasskey: (answer: AuthenticationResponseJSON) => client.passkey.answer.mutate(answer),
    beginPasskey: () => client.passkey.begin.mutate(),
    addPasskey: (made: RegistrationResponseJSON) => client.passkey.add.mutate(made),
    declinePasskey: () => client.passkey.decline.mutate(),
    startNew: () => client.continuity.startNew.mutate(),
    askSupport: () => client.continuity.askSupport.mutate(),
    changeFan: () => client.phone.change.mutate(),
    consentOptions: () => client.consent.options.query(),
    grant: (grant: GrantBy) => client.consent.grant.mutate(grant),
    deny: () => client.consent.deny.mutate(),
    /** The server's time in milliseconds, from the Date header of its answers: a phone's own clock may be minutes off. */
    now: () => Date.now() + clockOffset,
  };
}

export type LoginApi = ReturnType<typeof createLoginApi>;
