import type { PlainPage } from '../http/plain-page.ts';

/** The page of a refused sign-in. @param again where to try again */
export function signInErrorPage(message: string, again: string): PlainPage {
  return {
    title: 'Signing in did not work',
    paragraphs: [message],
    next: { label: 'Try again', href: again },
  };
}

/** The page of a sign-in that failed on our side. */
export function serverErrorPage(again: string): PlainPage {
  return {
    title: 'Signing in does not work right now',
    paragraphs: ['Something is wrong on our side. Try again shortly.'],
    next: { label: 'Try again', href: again },
  };
}

/** The page of an opened link: it waits for a click, because programs that preview links must not spend it. */
export function linkPage(authUrl: string, secret: string, name: string): PlainPage {
  return {
    title: `Sign in as ${name}`,
    paragraphs: ['This link signs you in to the console, once.'],
    next: { label: 'Sign in', action: `${authUrl}/link`, fields: { secret } },
  };
}

/** The sign-in page where no provider is configured. */
export function askForLinkPage(authUrl: string): PlainPage {
  return {
    title: 'Sign in to the console',
    paragraphs: [
      'No company sign-in service is configured here, so sign-in links are printed on the output of the server. Open the one that its start printed, or have a new one printed.',
    ],
    next: { label: 'Print a sign-in link', action: `${authUrl}/new-link`, fields: {} },
  };
}

/** The page after a link was printed. */
export function linkPrintedPage(name: string): PlainPage {
  return {
    title: 'A sign-in link was printed',
    paragraphs: [
      `Look at the output of the server: its last lines have a sign-in link for ${name}. It works once, for fifteen minutes.`,
      'Opened in this browser, it renews the session of every tab: what you had begun can go on there.',
    ],
  };
}

/** The page after signing out, here and at the provider where it has a logout. */
export function signedOutPage(authUrl: string): PlainPage {
  return {
    title: 'You are signed out',
    paragraphs: ['Nothing of the console is open in this browser any more.'],
    next: { label: 'Sign in again', href: `${authUrl}/sign-in` },
  };
}
