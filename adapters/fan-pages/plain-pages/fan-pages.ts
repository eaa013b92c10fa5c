import type { FanPage } from '../../http/plain-page.ts';

/** What a developer learns of a refused request: the code and the description are stable and in English. */
interface Refusal {
  error: string;
  description: string;
  /** What the documentation says about it; undefined where none is served. */
  help?: string | undefined;
}

/** Where an app sent the fan here with a link that can't be used, and the fan can't be sent back either. */
export function unusableLinkPage(refusal: Refusal): FanPage {
  return ({ texts: { authorize, details }, format }) => ({
    title: format(authorize.title),
    paragraphs: [format(authorize.detail), format(authorize.next)],
    details: [
      { term: format(details.error), text: refusal.error },
      { term: format(details.description), text: refusal.description },
      ...(refusal.help === undefined ? [] : [{ term: format(details.docs), text: refusal.help, href: refusal.help }]),
    ],
  });
}

/** Where the fault of a sign-in is ours. */
export const unavailablePage: FanPage = ({ texts: { unavailable }, format }) => ({
  title: format(unavailable.title),
  paragraphs: [format(unavailable.detail), format(unavailable.next)],
});

/** Where a browser sent what can't be answered. */
export function malformedRequestPage(description: string): FanPage {
  return ({ texts: { request, details }, format }) => ({
    title: format(request.title),
    paragraphs: [format(request.detail), format(request.next)],
    details: [{ term: format(details.description), text: description }],
  });
}

/** Where there is no page. @param home address of the start page; undefined where no process is known to have it */
export function unknownAddressPage(home: string | undefined): FanPage {
  return ({ texts: { unknown }, format }) => ({
    title: format(unknown.title),
    paragraphs: [format(unknown.detail)],
    ...(home !== undefined && { next: { label: format(unknown.next), href: home } }),
  });
}
