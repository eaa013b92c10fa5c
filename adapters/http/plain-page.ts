import type { PageWords } from '../fan-pages/plain-pages/page-words.ts';
import type { RequestContext } from './request-state.ts';

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

/** Answers with a page in the fan's language; or with one in English, for staff and developers. */
export function showPage(
  ctx: RequestContext,
  status: number,
  page: FanPage | PlainPage,
  uiLocales: string | null = new URLSearchParams(ctx.querystring).get('ui_locales'),
): void {
  const wishes = { uiLocales, acceptLanguage: ctx.get('Accept-Language') };
  const { headers, body } = ctx.state.pages.write(page, { requestId: ctx.state.requestId, wishes });
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
