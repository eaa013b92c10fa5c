import { plainPage } from '../http/plain-page.ts';

/** The page a fan sees when an app sent them here with a link that can't be used, and can't be sent back either. */
export function unusableLinkPage(message: string, requestId: string): string {
  return plainPage({
    title: "This link can't be used",
    paragraphs: [
      message,
      'Nothing was shared. Go back to the app and try again; if it happens once more, tell its makers.',
    ],
    requestId,
  });
}

/** The page a fan sees when the fault is ours. */
export function unavailablePage(requestId: string): string {
  return plainPage({
    title: 'Signing in does not work right now',
    paragraphs: ['Something is wrong on our side. Nothing was shared. Go back to the app and try again shortly.'],
    requestId,
  });
}
