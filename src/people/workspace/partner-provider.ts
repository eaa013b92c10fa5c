/**
 * A partner's own OIDC provider, through which its members sign in. Staff have set it, but the partner runs it: nothing in its
 * answers is trusted further than its own members, and in production no call of ours goes to a private address
 * (`src/platform/public-fetch.ts`).
 *
 * @module
 */
import { LockMode } from '@mikro-orm/core';
import type { Configuration, CustomFetch } from 'openid-client';
import { PartnerMember, PartnerProvider } from '../../entities/partner-member.ts';
import { unseal, type WithSecrets } from '../../keys/seal.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context, WithConfig } from '../../platform/context.ts';
import { deviceDetails } from '../../platform/device.ts';
import { DomainError } from '../../platform/errors.ts';
import type { SessionSecret } from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { uriFault } from '../../platform/identifier/uri-fault.ts';
import { publicFetch } from '../../platform/public-fetch.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { discoverProvider, keptProvider, type ProviderSettings, readClaims } from '../account/identity-provider.ts';
import { endInvitations, hasLiveInvitation } from '../account/links.ts';
import {
  type ProvenAnswer,
  type Provider,
  refuseSignIn,
  type SignInContext,
  type SignInRules,
} from '../account/provider-sign-in.ts';
import { startSession } from '../account/sessions.ts';
import { readEmail } from './invite-member.ts';

/** The redirect URI that must be registered at a partner's provider. */
export function partnerCallbackUrl({ partnersUrl }: Pick<Config, 'partnersUrl'>): string {
  return `${partnersUrl}/auth/callback`;
}

/**
 * How members sign in through their partner's provider: the person is the invited member of that partner who has the verified e-mail
 * address, and from the first sign-in on also the same subject.
 * @see OpenID Connect Core 1.0 §5.7
 */
export const MEMBER_SIGN_IN: SignInRules = {
  audience: 'member',
  callbackUrl: partnerCallbackUrl,
  find: providerOf,
  scope: () => 'openid email',
  admit,
};

/** Reads the discovery document. @throws DomainError as `discoverProvider` */
export function discover({ config }: WithConfig, settings: ProviderSettings): Promise<Configuration> {
  const { production } = config;
  const access = { insecure: !production, secretName: 'The client secret' };
  return discoverProvider(settings, { ...access, ...(production && { fetch: publicFetch as CustomFetch }) });
}

/** @throws DomainError `conflict` where the partner has none, and as `discover` */
async function providerOf(
  context: Pick<Context, 'em' | 'config'> & WithSecrets,
  partner: Id<'ptn'> | null,
): Promise<Provider> {
  const provider = partner && (await context.em.findOne(PartnerProvider, { partner }));
  if (!provider)
    throw new DomainError('conflict', 'This partner has no sign-in service of its own. Sign in by e-mail.');
  const { issuer, clientId, setAt } = provider;
  const kept = await keptProvider(JSON.stringify([partner, issuer, clientId, setAt]), async () =>
    discover(context, { issuer, clientId, clientSecret: await unsealed(context, provider) }),
  );
  return { issuer, ...kept };
}

async function unsealed(
  { secrets }: WithSecrets,
  { secretOwner, sealedSecret }: PartnerProvider,
): Promise<string | undefined> {
  return sealedSecret ? Buffer.from(await unseal(secrets, secretOwner, sealedSecret)).toString() : undefined;
}

const NOT_VERIFIED = 'Your company’s sign-in service did not say that it has verified your e-mail address.';
const NO_MEMBER =
  'Nobody with your e-mail address is invited to this workspace, or the invitation has ended. Ask the person who manages it for an invitation.';

/** @throws DomainError `forbidden` without a verified address, and where it is of no member */
async function admit(context: SignInContext, answer: ProvenAnswer): Promise<SessionSecret> {
  const { client, tokens, issuer, partner } = answer;
  if (partner === null) throw new Error('a sign-in through the provider of no partner');
  const refuse = (reason: string, message: string) => {
    const refusal = { action: 'partner_member.sign_in_refused', details: { issuer, reason } } as const;
    return refuseSignIn(context, partner, refusal, message);
  };
  const claims = await readClaims(client, tokens, ['email', 'email_verified']);
  // some providers send it as a string
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  const email = typeof claims.email === 'string' ? readEmail(claims.email) : undefined;
  if (!isVerified || email === undefined) throw await refuse('email not verified', NOT_VERIFIED);
  const secret = await enter(context, answer, { partner, email, subject: claims.sub });
  if (secret !== undefined) return secret;
  throw await refuse('no member', NO_MEMBER);
}

/** @returns undefined where there is no such member */
async function enter(
  context: SignInContext,
  { issuer, replaces, device }: ProvenAnswer,
  { partner, email, subject }: { partner: Id<'ptn'>; email: string; subject: string },
): Promise<SessionSecret | undefined> {
  const at = context.now();
  return context.em.fork().transactional(async (em) => {
    const work = { ...context, em };
    const invited = { partner, email, revokedAt: null };
    const member = await em.findOne(PartnerMember, invited, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!member || (member.issuer === issuer && member.subject !== subject)) return undefined;
    // a first sign-in needs an invitation that has not expired
    if (!member.joinedAt && !(await hasLiveInvitation(work, member.id))) return undefined;
    member.lastSignInAt = at;
    member.joinedAt ??= at;
    member.issuer = issuer;
    member.subject = subject;
    await endInvitations(work, member.id);
    const details = { partner, via: 'provider', ...deviceDetails(device) } as const;
    const actor = `member:${member.id}`;
    recordAudit(work, { actor, action: 'partner_member.signed_in', subject: member.id, details });
    return startSession(work, member.id, { authenticatedAt: at, replaces, device });
  });
}

/** What is wrong with an issuer's address; undefined where nothing is. Continues a sentence. */
export function issuerFault({ production }: Pick<Config, 'production'>, issuer: string): string | undefined {
  if (!URL.canParse(issuer) || issuer.length > 300) return 'must be an https address of up to 300 characters';
  const fault = uriFault(issuer);
  if (fault !== undefined) return fault;
  const { protocol, username, password, search, hash } = new URL(issuer);
  if (protocol !== 'https:' && (production || protocol !== 'http:')) return 'must be an https address';
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'must have no user name, query or fragment';
  }
  return undefined;
}
