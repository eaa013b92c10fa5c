import type { Config } from '../../../src/platform/config/config.ts';
import { servedDocsUrl } from '../../http/help-link.ts';
import type { FanPage, PageLink } from '../../http/plain-page.ts';
import { inboxUrl } from '../login/inbox.ts';
import { portalUrl } from '../portal/surface.ts';

/** The start page: what this is, and where developers, fans and staff go. Only what is served somewhere is linked. */
export function homePage(config: Config, playground: string | undefined): FanPage {
  const { knownSurfaces: known, authUrl, apiUrl, adminUrl, partnersUrl } = config;
  return ({ texts: { home, fans, developers, staff }, format }) => {
    const link = (label: string, href: string | undefined): PageLink[] =>
      href === undefined ? [] : [{ label: format(label), href }];
    const when = (isKnown: boolean, href: string) => (isKnown ? href : undefined);
    const sections = [
      {
        ...developers,
        links: [
          ...link(developers.workspace, when(known.has('partners'), partnersUrl)),
          ...link(developers.playground, playground),
          ...link(developers.inbox, inboxUrl(config)),
          ...link(developers.discovery, when(known.has('auth'), `${authUrl}/.well-known/openid-configuration`)),
          ...link(developers.openapi, when(known.has('fan'), `${apiUrl}/openapi.json`)),
          ...link(developers.idl, when(known.has('fan'), new URL('/idl.json', apiUrl).href)),
          ...link(developers.clusters, when(known.has('fan'), new URL('/clusters.json', apiUrl).href)),
        ],
      },
      { ...fans, links: link(fans.portal, when(known.has('login'), portalUrl(config))) },
      { ...staff, links: link(staff.console, when(known.has('admin'), adminUrl)) },
    ];
    const [docs] = link(developers.docs, servedDocsUrl(config));
    return {
      title: format(home.title),
      paragraphs: [format(home.detail)],
      ...(docs && { next: docs }),
      sections: sections
        .filter(({ links }) => links.length > 0)
        .map(({ title, detail, links }) => ({ title: format(title), text: format(detail), links })),
    };
  };
}
