import { logoPath } from '../../../src/partners/client/client-logo.ts';
import { withParameters } from '../../../src/partners/redirect-uri.ts';
import { maskPhone } from '../../../src/platform/phone-number.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { type OpenSession, SESSION_TRIES, sessionFinder } from '../../../src/sign-in/authorization/find-session.ts';
import { offersPasskey } from '../../../src/sign-in/passkey/register-passkey.ts';
import { unprovedSince } from '../../../src/sign-in/verification/continuity.ts';
import { portalUrl } from '../portal/surface.ts';

/** What the page shows beside the session itself. */
interface Shown {
  /** Hash of the client's logo. */
  logo: string | null;
  privacyUrl: string;
  /** Phone number of the fan who is signed in. */
  fanPhone: string | null;
  offersPasskey: boolean | null;
}

/** Finds a session for `describeSession`. */
export const findSessionToShow = sessionFinder<Shown>(`json_build_object(
  'logo', (select l.hash from client_logo l where l.client_id = c.id),
  'privacyUrl', c.privacy_url,
  'fanPhone', (select f.phone from fan f where f.id = s.fan_id),
  'offersPasskey', (select ${offersPasskey('f', 'clock.now')} from fan f where f.id = s.fan_id and s.step = 'consent'))`);

/** The data that the page shows for the current step of the session, also after a reload. */
export async function describeSession(
  { em, config }: Pick<ServiceContext, 'em' | 'config'>,
  session: OpenSession & { more: Shown },
) {
  const { client, step, more } = session;
  const challenge = step === 'code' || step === 'continuity' ? session.challenge : null;
  const phone = challenge?.phone ?? (step === 'consent' ? more.fanPhone : null) ?? undefined;
  const unproved =
    step === 'continuity' && phone ? await unprovedSince({ em }, { mode: client.mode, phone }) : undefined;
  return {
    sessionId: session.id,
    step,
    clientName: client.name,
    /** The company whose app it is; in sandbox its test users may sign in. */
    partnerName: client.partner.name,
    /** Address of the company's privacy page. */
    privacyUrl: more.privacyUrl === '' ? null : more.privacyUrl,
    /** Relative to the page's own address; null where the page shows initials instead. */
    logo: more.logo === null ? null : logoPath(client.id, more.logo),
    mode: client.mode,
    loginHint: session.loginHint,
    uiLocales: session.uiLocales,
    /** Masked: the number under verification, later that of the signed-in fan. */
    phone: phone === undefined ? null : maskPhone(phone),
    /** At `continuity`: since when nobody has proved the number. */
    unprovedSince: unproved?.toISOString() ?? null,
    /** Whether the fan is asked to make a passkey, to sign in without a code. */
    offersPasskey: config.passkeySignIn && more.offersPasskey === true,
    /** Whether a passkey signs in in place of the phone. */
    signsInByPasskey: config.passkeySignIn,
    verifiedAt: session.authenticatedAt?.toISOString() ?? null,
    /** Where the fan can change or end what is allowed here. */
    portalUrl: portalUrl(config),
    resendAt: challenge?.resendAt.toISOString() ?? null,
    expiresAt: session.expiresAt.toISOString(),
    returnTo: returnUrlOf(session),
    triesLeft: SESSION_TRIES - session.wrongTries,
  };
}

/**
 * Where the page sends a fan whose sign-in can't be finished: back to the partner, as after a refusal. The page gets the address
 * in advance, because the server does not answer for an expired session.
 * @see RFC 6749 §4.1.2.1
 */
function returnUrlOf(session: OpenSession): string {
  return withParameters(session.redirectUri, {
    error: 'access_denied',
    error_description: 'The user did not finish the sign-in',
    state: session.state,
  });
}
