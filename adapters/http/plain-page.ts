import type { RequestContext } from './request-state.ts';

/** A short page that the server writes itself, without scripts, for where an application's own page can't be. */
export interface PlainPage {
  title: string;
  paragraphs: string[];
  /** Terms and their descriptions. */
  rows?: { term: string; text: string }[];
  /** What a person can do next. */
  next?: PageLink | PageForm;
}

interface PageLink {
  label: string;
  href: string;
}

/** A button that sends a form to this origin. */
interface PageForm {
  label: string;
  action: string;
  fields: Record<string, string>;
}

/** The page as HTML; every text in it is escaped. */
export function plainPage({ title, paragraphs, rows = [], next }: PlainPage, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 17px/1.5 system-ui, sans-serif;
    background: light-dark(#f4f4f7, #131318); color: light-dark(#1b1b22, #ececf2); }
  main { max-width: 26rem; margin: 1.5rem; padding: 2rem; border-radius: 16px; background: light-dark(#fff, #1d1d24);
    box-shadow: 0 1px 3px rgb(0 0 0 / .12); overflow-wrap: anywhere; }
  h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; }
  p, form, dl { margin: 0 0 .75rem; }
  dd { margin: 0 0 .5rem; font-size: 1.35rem; font-weight: 600; letter-spacing: .08em; font-variant-numeric: tabular-nums; }
  a.button, button { display: inline-block; padding: .6rem 1.1rem; border: 0; border-radius: 10px; font: inherit; font-weight: 600;
    text-decoration: none; cursor: pointer; background: light-dark(#1f5fd1, #8ab4ff); color: light-dark(#fff, #10131a); }
  :focus-visible { outline: 3px solid light-dark(#1b1b22, #ececf2); outline-offset: 2px; }
  small { color: light-dark(#5c5c6b, #a5a5b5); word-break: break-all; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${rows.length === 0 ? '' : termsAndTexts(rows)}
${next === undefined ? '' : nextStep(next)}
<small>Request ${escapeHtml(requestId)}</small>
</main>
</body>
</html>
`;
}

/** Answers with a plain page. */
export function showPage(ctx: RequestContext, status: number, page: PlainPage): void {
  ctx.status = status;
  ctx.set(PAGE_HEADERS);
  // without any referrer, browsers send a form with the origin `null`, as if another site had sent it
  if (page.next && 'action' in page.next) ctx.set('Referrer-Policy', 'same-origin');
  ctx.body = plainPage(page, ctx.state.requestId);
}

/** Headers of every such page. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

function termsAndTexts(rows: { term: string; text: string }[]): string {
  return `<dl>${rows.map(({ term, text }) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n')}</dl>`;
}

function nextStep(next: PageLink | PageForm): string {
  const label = escapeHtml(next.label);
  if ('href' in next) return `<p><a class="button" href="${escapeHtml(next.href)}">${label}</a></p>`;
  const fields = Object.entries(next.fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return `<form method="post" action="${escapeHtml(next.action)}">${fields}<button>${label}</button></form>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
