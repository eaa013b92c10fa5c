import { escapeHtml } from '../../http/escape-html.ts';
import type { PlainPage } from '../../http/plain-page.ts';
import type { RequestContext } from '../../http/request-state.ts';
import type { Operator } from '../operator/load-operator.ts';
import { type PageWords, wordsFor } from './page-words.ts';

interface Surroundings {
  words: PageWords;
  operator: Operator;
  style: string;
  /** Whether the page has the line above that says whose account it is, and the operator's links below. */
  isForFans: boolean;
  requestId: string;
}

/** The page as HTML; every text in it is escaped. */
export function pageHtml(page: PlainPage, surroundings: Surroundings): string {
  const { words, operator, style, isForFans } = surroundings;
  const { locale, texts } = words;
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${escapeHtml(texts.direction)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.ico">
<title>${escapeHtml(operator.name === undefined ? page.title : `${page.title} · ${operator.name}`)}</title>
<style>${style}</style>
</head>
<body>
<div id="app">
<header>${operatorLine(words, operator, isForFans)}</header>
<main class="card narrow">
<div class="panel plain">
<h1>${escapeHtml(page.title)}</h1>
${page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${page.rows === undefined || page.rows.length === 0 ? '' : `<dl class="codes">${rowsHtml(page.rows)}</dl>`}
${page.next === undefined ? '' : nextStep(page.next)}
${(page.sections ?? []).map(sectionHtml).join('\n')}
${detailsHtml(page, surroundings)}
</div>
</main>
${isForFans ? operatorLinks(words, operator) : ''}
</div>
</body>
</html>
`;
}

function operatorLine({ operator: texts, format }: PageWords, operator: Operator, isForFans: boolean): string {
  const { name, logoUrl } = operator;
  const account = name === undefined ? format(texts.noName) : format(texts.account, { operator: name });
  const logo = logoUrl === undefined ? '' : `<img src="${escapeHtml(logoUrl)}" alt="">`;
  const text = isForFans ? account : (name ?? '');
  return text === '' && logo === '' ? '' : `<p class="operator">${logo}<span>${escapeHtml(text)}</span></p>`;
}

function operatorLinks({ operator: texts, format }: PageWords, operator: Operator): string {
  const links = [
    [operator.privacyUrl, texts.privacy],
    [operator.termsUrl, texts.terms],
    [operator.helpUrl, texts.help],
  ].flatMap(([url, label]) => (url && label ? [`<a href="${escapeHtml(url)}">${escapeHtml(format(label))}</a>`] : []));
  if (links.length === 0) return '';
  return `<footer><nav class="operator-links" aria-label="${escapeHtml(format(texts.links))}">${links.join('')}</nav></footer>`;
}

function rowsHtml(rows: { term: string; text: string }[]): string {
  return rows.map(({ term, text }) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n');
}

function nextStep(next: NonNullable<PlainPage['next']>): string {
  const label = escapeHtml(next.label);
  if ('href' in next) return `<a class="button primary" href="${escapeHtml(next.href)}">${label}</a>`;
  const fields = Object.entries(next.fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return `<form method="post" action="${escapeHtml(next.action)}">${fields}<button class="button primary">${label}</button></form>`;
}

/** The only link of a section is a button, that of the first one the main button. */
function sectionHtml({ title, text, links }: NonNullable<PlainPage['sections']>[number], position: number): string {
  const kind = links.length > 1 ? 'link' : position === 0 ? 'button primary' : 'button';
  const items = links.map(
    ({ label, href }) => `<a class="${kind}" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  );
  const list = links.length > 1 ? `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>` : items.join('');
  return `<section><h2>${escapeHtml(title)}</h2><p>${escapeHtml(text)}</p>${list}</section>`;
}

function linked(text: string, href: string | undefined): string {
  return href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}

/** With the request ID alone there is nothing to explain. */
function detailsHtml({ details = [], sections }: PlainPage, { words, requestId }: Surroundings): string {
  if (sections !== undefined) return '';
  const { texts, format } = words;
  const id = `<dt>${escapeHtml(format(texts.details.requestId))}</dt><dd><bdi>${escapeHtml(requestId)}</bdi></dd>`;
  if (details.length === 0) return `<dl class="details">${id}</dl>`;
  const rows = details
    .map(({ term, text, href }) => `<dt>${escapeHtml(term)}</dt><dd lang="en"><bdi>${linked(text, href)}</bdi></dd>`)
    .join('\n');
  const title = escapeHtml(format(texts.details.title));
  return `<section class="details"><h2>${title}</h2><dl>${rows}${id}</dl></section>`;
}

/** What a built fan page says where scripts are off, in the language of the browser. */
export function noScriptHtml(ctx: Pick<RequestContext, 'get'>): string {
  const { texts, locale, format } = wordsFor({ acceptLanguage: ctx.get('Accept-Language') });
  const [title, detail] = [texts.noScript.title, texts.noScript.detail].map((text) => escapeHtml(format(text)));
  return `<main class="card narrow" lang="${escapeHtml(locale)}" dir="${escapeHtml(texts.direction)}"><div class="panel"><h1>${title}</h1><p>${detail}</p></div></main>`;
}
