import { PartnerMember, PartnerProvider } from '../../entities/partner-member.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { countOne } from '../../platform/keyed-limit.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import { networkOf } from '../../sign-in/abuse/network-of.ts';
import { addLink, hasLiveInvitation } from '../account/links.ts';
import { readEmail } from './invite-member.ts';
import { providerMail, signInMail } from './mails.ts';

type AskContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithMail & WithSecrets;

/** Links asked for per hour: of an IPv4 address or IPv6 /64, and of an e-mail address. */
const LIMIT = { seconds: 3600, refusal: 'Too many links were asked for.' };
const PER_ADDRESS = { ...LIMIT, name: 'workspace address', limit: 20 };
const PER_EMAIL = { ...LIMIT, name: 'workspace email', limit: 5 };

export interface LinkRequest {
  email: string;
  /** The browser's IP address. */
  address: string;
  /** From the cookie of the browser that asks: only that browser can use the link. */
  browserSecret: string;
}

/**
 * Handles a request for a sign-in link. Counts the request, then answers the same for every address, in the same time: only the
 * mailbox shows whether there is such a member.
 * @returns the remaining work, to be done after the answer
 * @throws DomainError `invalid_request` for what is no e-mail address, `rate_limited`
 */
export async function askForLink(context: AskContext, request: LinkRequest): Promise<() => Promise<void>> {
  const email = readEmail(request.email);
  if (email === undefined) throw new DomainError('invalid_request', 'Enter an e-mail address.');
  await countOne(context, PER_ADDRESS, networkOf(request.address), context.now());
  // counts an address that nobody has, too
  await countOne(context, PER_EMAIL, email, context.now());
  return () => sendLink(context, email, request.browserSecret);
}

async function sendLink(context: AskContext, email: string, browserSecret: string): Promise<void> {
  const { now, config, mail } = context;
  const em = context.em.fork();
  const member = await em.findOne(PartnerMember, { email, revokedAt: null }, { populate: ['partner'] });
  // an invitation that has expired is not renewed by its own recipient
  if (!member || !(member.joinedAt || (await hasLiveInvitation({ em, now }, member.id)))) return;
  const { partner } = member;
  const letter = { to: member.email, name: member.name, partner: partner.name };
  if ((await em.count(PartnerProvider, { partner: partner.id })) > 0) {
    await mail.send(providerMail(config, { ...letter, partnerId: partner.id }));
    return;
  }
  const { secret, expiresAt } = addLink({ em, now }, member.id, 'sign_in', browserSecret);
  await em.flush();
  await mail.send(signInMail(config, { ...letter, secret, expiresAt }));
}
