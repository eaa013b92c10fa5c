import type { FanPage } from '../../http/plain-page.ts';

/** What a developer learns of a refused request: the code and the description are stable and in English. */
interface Refusal {
  error: string;
  description: string;
  /** What the documentation says about it; undefined where none is served. */
  help?: string | undefined;
}

/** For a link of an app that can't be used, where the fan can't be sent back either. */
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

/** For a sign-in that fails because of this service. */
export const unavailablePage: FanPage = ({ texts: { unavailable }, format }) => ({
  title: format(unavailable.title),
  paragraphs: [format(unavailable.detail), format(unavailable.next)],
});

/** For a malformed request of a browser. */
export function malformedRequestPage(description: string): FanPage {
  return ({ texts: { request, details }, format }) => ({
    title: format(request.title),
    paragraphs: [format(request.detail), format(request.next)],
    details: [{ term: format(details.description), text: description }],
  });
}

/** For an address without a page. @param home address of the start page; undefined if no process is known to serve it */
export function unknownAddressPage(home: string | undefined): FanPage {
  return ({ texts: { unknown }, format }) => ({
    title: format(unknown.title),
    paragraphs: [format(unknown.detail)],
    ...(home !== undefined && { next: { label: format(unknown.next), href: home } }),
  });
}
