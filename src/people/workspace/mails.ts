import type { Config } from '../../platform/config/config.ts';
import type { Mail } from '../../platform/mail/mail-sender.ts';

type Addresses = Pick<Config, 'partnersUrl'>;

interface Letter {
  to: string;
  name: string;
  /** The partner's name. */
  partner: string;
  expiresAt: Date;
}

/** The e-mail that invites a person. */
export function invitationMail(
  { partnersUrl }: Addresses,
  { to, name, partner, secret, expiresAt }: Letter & { secret: string },
): Mail {
  return {
    to,
    subject: `Your invitation to the partner workspace of ${partner}`,
    text: letter(
      `Hello ${name},`,
      `You are invited to the workspace of ${partner}: its clients, test data, requests and reviews.`,
      `Open this link and press "Sign in". It works once, until ${written(expiresAt)}:`,
      linkUrl(partnersUrl, secret),
      'If you did not expect this e-mail, ignore it. Nobody is signed in by it.',
    ),
  };
}

/** The e-mail with a sign-in link that somebody has asked for. */
export function signInMail(
  { partnersUrl }: Addresses,
  { to, name, partner, secret, expiresAt }: Letter & { secret: string },
): Mail {
  return {
    to,
    subject: 'Your sign-in link for the partner workspace',
    text: letter(
      `Hello ${name},`,
      `Open this link in the browser in which you asked for it, and press "Sign in" to open the workspace of ${partner}. It works once, until ${written(expiresAt)}:`,
      linkUrl(partnersUrl, secret),
      'If you did not ask for it, ignore this e-mail. Nobody else can use the link in another browser.',
    ),
  };
}

/** The e-mail to somebody whose partner has its own provider: there is no link that signs in. */
export function providerMail(
  { partnersUrl }: Addresses,
  { to, name, partner, partnerId }: Omit<Letter, 'expiresAt'> & { partnerId: string },
): Mail {
  return {
    to,
    subject: 'How to sign in to the partner workspace',
    text: letter(
      `Hello ${name},`,
      `${partner} signs in to the partner workspace with its own sign-in service. Start here:`,
      `${partnersUrl}/auth/provider?partner=${partnerId}`,
    ),
  };
}

function linkUrl(partnersUrl: string, secret: string): string {
  return `${partnersUrl}/auth/link?secret=${secret}`;
}

function letter(...paragraphs: string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

function written(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
