import type { PlainPage } from '../../http/plain-page.ts';

/** The page of an opened link: it waits for a click, because programs that preview links must not spend it. */
export function linkPage(authUrl: string, secret: string, name: string): PlainPage {
  return {
    title: `Sign in as ${name}`,
    paragraphs: ['This link signs you in to the console. It works once.'],
    next: { label: 'Sign in', action: `${authUrl}/link`, fields: { secret } },
  };
}

/** The sign-in page where no provider is configured. */
export function askForLinkPage(authUrl: string): PlainPage {
  return {
    title: 'Sign in to the console',
    paragraphs: [
      'No company sign-in service is configured, so the server prints sign-in links to its output. Open the link it printed at the start, or print a new one.',
    ],
    next: { label: 'Print a sign-in link', action: `${authUrl}/new-link`, fields: {} },
  };
}

/** The page after a link was printed. */
export function linkPrintedPage(name: string): PlainPage {
  return {
    title: 'A sign-in link was printed',
    paragraphs: [
      `The server’s output now ends with a sign-in link for ${name}. It works once, within 15 minutes.`,
      'Open it in this browser to renew the session in every tab and continue your work.',
    ],
  };
}

/** The page after signing out, here and at the provider where it has a logout. */
export function signedOutPage(authUrl: string): PlainPage {
  return {
    title: 'You are signed out',
    paragraphs: ['You are no longer signed in to the console in this browser.'],
    next: { label: 'Sign in again', href: `${authUrl}/sign-in` },
  };
}
