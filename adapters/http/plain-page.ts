import type { PageWords, Wishes } from '../fan-pages/plain-pages/page-words.ts';

/** A short page that the server writes itself, without scripts, where an application's own page can't be shown. */
export interface PlainPage {
  title: string;
  paragraphs: string[];
  /** Terms and their descriptions. */
  rows?: Row[];
  /** What a person can do next. */
  next?: PageLink | PageForm;
  /** The places that the page links to. */
  sections?: { title: string; text: string; links: PageLink[] }[];
  /** For support and the app's developer, in English; the request ID is added. */
  details?: Row[];
}

interface Row {
  term: string;
  text: string;
  /** Turns the text into a link; only details have one. */
  href?: string;
}

export interface PageLink {
  label: string;
  href: string;
}

/** A button that sends a form to this origin. */
interface PageForm {
  label: string;
  action: string;
  fields: Record<string, string>;
}

/** A page for fans: its texts in the fan's language. */
export type FanPage = (words: PageWords) => PlainPage;

/** Writes pages without scripts, with the look and the operator of the built ones. */
export interface PlainPages {
  write(
    page: FanPage | PlainPage,
    request: { requestId: string; wishes?: Wishes },
  ): { headers: Record<string, string>; body: string };
}
