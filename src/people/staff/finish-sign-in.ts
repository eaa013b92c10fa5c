import { authorizationCodeGrant, type Configuration } from 'openid-client';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type StaffSessionSecret } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { STAFF_ROLES, type StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { admitStaff, expelStaff } from './admit-staff.ts';
import { callbackUrl } from './begin-sign-in.ts';
import { askProvider, identityProvider } from './identity-provider.ts';
import { type Person, readPerson } from './read-person.ts';
import { startSession } from './start-session.ts';

type SignInContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId'> & WithSecrets;

export interface SignInAnswer {
  /** The query of the redirect from the provider. */
  query: URLSearchParams;
  /** From the browser's sign-in cookie. */
  browserSecret: string | undefined;
  /** Of the browser's present session, if any. */
  sessionSecret: string | undefined;
  device?: Device;
}

interface SignInRow {
  nonce: string;
  code_verifier: string;
  return_to: string;
  step_up_of: Uuid | null;
  started_at: Date;
}

/** Single use. A call from another browser deletes nothing. */
const takeSignIn = preparedWithDates<SignInRow>(`
  delete from staff_sign_in where state_hash = $1 and browser_hash = $2 and expires_at > $3
  returning nonce, code_verifier, return_to, step_up_of, started_at`);

/** Seconds by which the provider's clock may be behind ours. */
const CLOCK_LEEWAY = 60;

/**
 * Completes a sign-in through the provider with a session; the person's groups decide the role.
 * @returns the secret for the browser's cookie, and the path in the console to return to
 * @throws DomainError `invalid_request` (another browser, too late, used, or an answer that does not hold), `forbidden` (no
 * group with a role, disabled, another person than the one who steps up), `fresh_sign_in_required`, `unavailable`
 * @see OpenID Connect Core 1.0 §3.1.3.7, RFC 9207
 */
export async function finishSignIn(
  context: SignInContext,
  { query, browserSecret, sessionSecret, device }: SignInAnswer,
): Promise<{ secret: StaffSessionSecret; returnTo: string }> {
  const state = query.get('state') ?? '';
  const [begun] = await takeSignIn(context.pool, [hashOf(state), hashOf(browserSecret ?? ''), context.now()]);
  if (!begun) {
    throw new DomainError(
      'invalid_request',
      'This sign-in was started in another browser, took longer than 10 minutes or is already complete. Start again.',
    );
  }
  const { settings, client } = await identityProvider(context);
  const person = await exchangeCode(context, client, query, state, begun, settings.groupsClaim);
  // the highest role of the person's groups
  const role = STAFF_ROLES.findLast((name) => settings.roleGroups[name].some((group) => person.groups.includes(group)));
  if (role === undefined) throw await refuseWithoutRole(context, settings.issuer, person);
  const authenticatedAt = person.authTime === undefined ? null : new Date(person.authTime * 1000);
  if (begun.step_up_of !== null && !isSince(authenticatedAt, begun.started_at)) {
    throw new DomainError('fresh_sign_in_required', 'Your company’s sign-in service did not ask you to sign in again.');
  }
  const secret = await admit(context, {
    issuer: settings.issuer,
    person,
    role,
    authenticatedAt,
    begun,
    sessionSecret,
    device,
  });
  return { secret, returnTo: begun.return_to };
}

async function exchangeCode(
  context: SignInContext,
  client: Configuration,
  query: URLSearchParams,
  state: string,
  begun: SignInRow,
  groupsClaim: string,
): Promise<Person> {
  // not the request's own URL, which differs behind a proxy
  const url = new URL(`${callbackUrl(context.config)}?${query}`);
  const tokens = await askProvider(() =>
    authorizationCodeGrant(client, url, {
      expectedState: state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.code_verifier,
      idTokenExpected: true,
    }),
  );
  return readPerson(client, tokens, groupsClaim);
}

interface Admission {
  issuer: string;
  person: Person;
  role: StaffRole;
  authenticatedAt: Date | null;
  begun: SignInRow;
  sessionSecret: string | undefined;
  device: Device | undefined;
}

async function admit(context: SignInContext, admission: Admission): Promise<StaffSessionSecret> {
  const { issuer, person, role, begun, sessionSecret } = admission;
  const stepUp = begun.step_up_of !== null;
  const secret = await context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const staffId = await admitStaff(work, issuer, person, role);
    if (staffId === undefined) return undefined;
    if (stepUp && begun.step_up_of !== null && staffId !== idOf('stf', begun.step_up_of)) {
      throw new DomainError(
        'forbidden',
        `You signed in as ${person.name}, but someone else is signed in here. Sign out first.`,
      );
    }
    const details = { via: 'provider', role, stepUp, ...deviceDetails(admission.device) } as const;
    recordAudit(work, { actor: `staff:${staffId}`, action: 'staff.signed_in', subject: staffId, details });
    return startSession(work, staffId, {
      authenticatedAt: notAfter(admission.authenticatedAt, context.now()),
      idToken: person.idToken,
      replaces: sessionSecret,
      device: admission.device,
    });
  });
  if (secret !== undefined) return secret;
  await recordRefusal(context, issuer, person, 'disabled');
  throw new DomainError('forbidden', 'An admin has disabled your access. Ask an admin.');
}

/** A person without a role loses sessions and tokens too. */
async function refuseWithoutRole(context: SignInContext, issuer: string, person: Person): Promise<DomainError> {
  await expelStaff(context, issuer, person.subject);
  await recordRefusal(context, issuer, person, 'no group');
  return new DomainError(
    'forbidden',
    `You are signed in as ${person.name}, but none of your groups has access to the console. Ask the person who manages your company’s groups.`,
  );
}

async function recordRefusal(context: SignInContext, issuer: string, person: Person, reason: string): Promise<void> {
  const em = context.em.fork();
  recordAudit(
    { ...context, em },
    {
      actor: 'system',
      action: 'staff.sign_in_refused',
      subject: person.subject.slice(0, 120),
      details: { issuer, name: person.name, reason },
    },
  );
  await em.flush();
}

function isSince(authenticatedAt: Date | null, started: Date): boolean {
  return authenticatedAt !== null && authenticatedAt >= after(started, -CLOCK_LEEWAY);
}

/** A provider whose clock is ahead must not extend the freshness of a sign-in. */
function notAfter(moment: Date | null, now: Date): Date | null {
  return moment !== null && moment > now ? now : moment;
}
