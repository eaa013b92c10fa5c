import type { LinkPreview } from '../../../src/people/workspace/spend-link.ts';
import type { PlainPage } from '../../http/plain-page.ts';

/** The page of an opened link: it waits for a click, because programs open links in e-mails and must not spend them. */
export function memberLinkPage(authUrl: string, secret: string, preview: LinkPreview): PlainPage {
  const { name, partnerName, partnerId, byProvider } = preview;
  if (byProvider) {
    return {
      title: `Sign in as ${name}`,
      paragraphs: [`${partnerName} signs in with its own sign-in service.`],
      next: { label: 'Continue', href: `${authUrl}/provider?partner=${partnerId}` },
    };
  }
  return {
    title: `Sign in as ${name}`,
    paragraphs: [`This link opens the workspace of ${partnerName}. It works once.`],
    next: { label: 'Sign in', action: `${authUrl}/link`, fields: { secret } },
  };
}

/** The page after a link was asked for: the same for every address. */
export function linkSentPage(partnersUrl: string): PlainPage {
  return {
    title: 'Look into your mailbox',
    paragraphs: [
      'If this address belongs to somebody of a partner, we have sent a sign-in link to it. It works once, within 15 minutes, in this browser.',
    ],
    next: { label: 'Back', href: partnersUrl },
  };
}

/** The page after signing out. */
export function memberSignedOutPage(partnersUrl: string): PlainPage {
  return {
    title: 'You are signed out',
    paragraphs: ['You are no longer signed in to the partner workspace in this browser.'],
    next: { label: 'Sign in again', href: partnersUrl },
  };
}
