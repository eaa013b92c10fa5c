import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';
import type { ReceiptWords } from '../portal/receipt/receipt-words.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f3f4f1, #101412);
  color: light-dark(#16201c, #edf2ef); }
body { margin: 0; padding: 1.5rem 1rem 3rem; }
main { max-width: 42rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 2.5rem); border-radius: 1.25rem; overflow-wrap: anywhere;
  background: light-dark(#fff, #191f1c); }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.0625rem; }
p, dl, dd, ul { margin: 0; padding: 0; }
p.intro { margin: .75rem 0 1.25rem; }
.muted, dt, small { color: light-dark(#54605b, #a7b4ae); }
.kind { margin-block-end: .25rem; font-weight: 600; letter-spacing: .02em; }
.mark { display: inline-block; margin-block-start: .75rem; padding: .125rem .75rem; border-radius: 99rem; background: #ffb81c;
  color: #231900; font-size: .875rem; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .375rem 1.5rem; }
ul { list-style: none; }
li { padding: .5rem 0; border-top: 1px solid light-dark(#d5dbd7, #323c37); }
li strong, li small { display: block; }
small { font-size: .875rem; }
.id { font-family: ui-monospace, monospace; font-size: .875rem; }
summary { min-height: 1.75rem; margin-top: .75rem; cursor: pointer; }
pre { margin: .5rem 0 0; padding: .875rem; border-radius: .625rem; background: light-dark(#f3f4f1, #101412); white-space: pre-wrap;
  overflow-wrap: anywhere; font: .8125rem/1.45 ui-monospace, monospace; }
:focus-visible { outline: 3px solid light-dark(#0f5c4d, #74d6bd); outline-offset: 2px; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print { :root { color-scheme: light; background: none; } body { padding: 0; } main { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; height: auto; } summary { list-style: none; } }
`;

/** No script runs and nothing is loaded, in the answer or in the saved file. */
export const DOCUMENT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/**
 * A document that a person can read, keep and print.
 * @param title text, which is escaped here
 * @param main HTML
 */
export function documentPage({ locale, page }: ReceiptWords, title: string, main: string): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${escapeHtml(page.direction)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(DOCUMENT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}
