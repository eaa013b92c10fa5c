import { authorizationCodeGrant, type Configuration } from 'openid-client';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Device, deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type MemberSessionSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { askProvider } from '../staff/identity-provider.ts';
import { readClaims } from '../staff/read-person.ts';
import { readEmail } from './invite-member.ts';
import { endInvitations } from './live-invitation.ts';
import { partnerCallbackUrl, providerOf } from './partner-provider.ts';
import { startMemberSession } from './start-session.ts';

type SignInContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId'> & WithSecrets;

export interface ProviderAnswer {
  /** The query of the redirect from the provider. */
  query: URLSearchParams;
  /** From the browser's sign-in cookie. */
  browserSecret: string | undefined;
  /** Secret of the browser's present session, which ends. */
  replaces: string | undefined;
  device: Device;
}

interface SignInRow {
  partner_id: Uuid;
  issuer: string;
  nonce: string;
  code_verifier: string;
  return_to: string;
}

/** Single use. A call from another browser deletes nothing. */
const takeSignIn = preparedWithDates<SignInRow>(`
  delete from partner_sign_in where state_hash = $1 and browser_hash = $2 and expires_at > $3
  returning partner_id, issuer, nonce, code_verifier, return_to`);

/** The verified person at the provider. */
interface ProviderPerson {
  issuer: string;
  subject: string;
  email: string;
}

/**
 * Completes a sign-in through a partner's own provider: the person is the invited member of that partner who has the verified
 * e-mail address, and from the first sign-in on also the same subject.
 * @returns the secret for the browser's cookie, and the path in the workspace to return to
 * @throws DomainError `invalid_request` (another browser, too late, used, or an answer that does not hold), `forbidden` (no
 * verified address, no such member), `conflict` where the provider is not set any more, `unavailable`
 * @see OpenID Connect Core 1.0 §3.1.3.7 and §5.7, RFC 9207
 */
export async function finishProviderSignIn(
  context: SignInContext,
  { query, browserSecret, replaces, device }: ProviderAnswer,
): Promise<{ secret: MemberSessionSecret; returnTo: string }> {
  const state = query.get('state') ?? '';
  const [begun] = await takeSignIn(context.pool, [hashOf(state), hashOf(browserSecret ?? ''), context.now()]);
  if (!begun) {
    throw new DomainError(
      'invalid_request',
      'This sign-in was started in another browser, took longer than 15 minutes or is already complete. Start again.',
    );
  }
  const partner = idOf('ptn', begun.partner_id);
  const { issuer, client, forget } = await providerOf(context, partner);
  if (issuer !== begun.issuer)
    throw new DomainError('invalid_request', 'The sign-in service has changed. Start again.');
  const person = await exchangeCode(context, client, query, state, begun).catch((error: unknown) => {
    forget();
    throw error;
  });
  if (person === undefined) throw await refuse(context, partner, issuer, 'email not verified', NOT_VERIFIED);
  const secret = await admit(context, partner, { issuer, ...person }, { replaces, device });
  if (secret === undefined) throw await refuse(context, partner, issuer, 'no member', NO_MEMBER);
  return { secret, returnTo: begun.return_to };
}

const NOT_VERIFIED = 'Your company’s sign-in service did not say that it has verified your e-mail address.';
const NO_MEMBER =
  'Nobody with your e-mail address is invited to this workspace, or the invitation has ended. Ask the person who manages it for an invitation.';

/** @returns undefined without a verified address */
async function exchangeCode(
  context: SignInContext,
  client: Configuration,
  query: URLSearchParams,
  state: string,
  begun: SignInRow,
): Promise<Omit<ProviderPerson, 'issuer'> | undefined> {
  // not the request's own URL, which differs behind a proxy
  const url = new URL(`${partnerCallbackUrl(context.config)}?${query}`);
  const tokens = await askProvider(() =>
    authorizationCodeGrant(client, url, {
      expectedState: state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.code_verifier,
      idTokenExpected: true,
    }),
  );
  const claims = await readClaims(client, tokens, ['email', 'email_verified']);
  // some providers write it as a text
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  const email = typeof claims.email === 'string' ? readEmail(claims.email) : undefined;
  return isVerified && email !== undefined ? { subject: claims.sub, email } : undefined;
}

/** A first sign-in needs an invitation that has not expired; each later one the subject of the first. */
const ADMIT = `
  update partner_member m
  set last_sign_in_at = ?, joined_at = coalesce(joined_at, ?), issuer = ?, subject = ?
  where m.partner_id = ? and m.email = ? and m.revoked_at is null
    and (m.issuer is distinct from ? or m.subject = ?)
    and (m.joined_at is not null or exists (
      select from partner_link l
      where l.member_id = m.id and l.kind = 'invitation' and l.used_at is null and l.expires_at > ?))
  returning m.id`;

async function admit(
  context: SignInContext,
  partner: Id<'ptn'>,
  { issuer, subject, email }: ProviderPerson,
  browser: { replaces: string | undefined; device: Device },
): Promise<MemberSessionSecret | undefined> {
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const values = [at, at, issuer, subject, uuidOf('ptn', partner), email, issuer, subject, at];
    const [person] = await em.execute<{ id: Uuid }[]>(ADMIT, values);
    if (!person) return undefined;
    const id = idOf('mem', person.id);
    await endInvitations(work, id);
    const details = { partner, via: 'provider', ...deviceDetails(browser.device) } as const;
    recordAudit(work, { actor: `member:${id}`, action: 'partner_member.signed_in', subject: id, details });
    return startMemberSession(work, id, browser);
  });
}

async function refuse(
  context: SignInContext,
  partner: Id<'ptn'>,
  issuer: string,
  reason: string,
  message: string,
): Promise<DomainError> {
  const em = context.em.fork();
  const details = { issuer, reason };
  recordAudit(
    { ...context, em },
    { actor: 'system', action: 'partner_member.sign_in_refused', subject: partner, details },
  );
  await em.flush();
  return new DomainError('forbidden', message);
}
