import { escapeHtml } from '../../http/escape-html.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { wordsFor } from './page-words.ts';

/** What a built fan page says where scripts are off, in the language of the browser. */
export function noScriptHtml(ctx: Pick<RequestContext, 'get'>): string {
  const { texts, locale, format } = wordsFor({ acceptLanguage: ctx.get('Accept-Language') });
  const [title, detail] = [texts.noScript.title, texts.noScript.detail].map((text) => escapeHtml(format(text)));
  return `<main class="card narrow" lang="${escapeHtml(locale)}" dir="${escapeHtml(texts.direction)}"><div class="panel"><h1>${title}</h1><p>${detail}</p></div></main>`;
}
