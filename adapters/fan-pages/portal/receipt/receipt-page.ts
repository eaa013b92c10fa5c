import { createHash } from 'node:crypto';
import type { JWK } from 'jose';
import { actionsOf } from '../../../../src/partners/scopes.ts';
import type { OwnReceipt } from '../../../../src/sign-in/consent/sign-receipt.ts';
import { escapeHtml } from '../../../http/escape-html.ts';
import { describeAction } from '../../page-kit/texts/describe-action.ts';
import { eventTime } from '../../page-kit/tickets/event-time.ts';
import { countedTypes, groupTickets } from '../../page-kit/tickets/group-tickets.ts';
import type { ReceiptWords } from './receipt-words.ts';

/** Of documents that fans download. */
export const STYLE = `
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
export const RECEIPT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Where a receipt can be verified. */
export interface Verification {
  /** The public key. */
  key: JWK | undefined;
  /** Address at which it is published. */
  keysUrl: string;
}

/** A receipt as a document that a person can read, keep and print. Every text in it is escaped. */
export function receiptPage(receipt: OwnReceipt, words: ReceiptWords, { key, keysUrl }: Verification): string {
  const { texts } = words;
  const { payload, statement, partnerName } = receipt;
  const name = escapeHtml(payload.client_name);
  const refused = actionsOf(payload.scope.split(' ')).filter((action) => !payload.granted_actions.includes(action));
  return `<!doctype html>
<html lang="${escapeHtml(words.locale)}" dir="${escapeHtml(words.page.direction)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(RECEIPT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(texts.kind)}: ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="kind muted">${escapeHtml(texts.kind)}</p>
<h1><bdi>${name}</bdi></h1>
${payload.mode === 'sandbox' ? `<p class="mark">${escapeHtml(texts.sandbox)}</p>` : ''}
<p class="intro">${escapeHtml(texts.intro)}</p>
${facts([
  [texts.partner, partnerName],
  [texts.signedIn, words.formatMoment(payload.granted_at)],
  [texts.issued, words.formatMoment(payload.iat)],
])}
<h2>${escapeHtml(texts.may)}</h2>
${payload.granted_actions.length === 0 ? paragraph(texts.mayNothing) : actionList(payload.granted_actions, words)}
${refused.length === 0 ? '' : `<h2>${escapeHtml(texts.mayNot)}</h2>\n${actionList(refused, words)}`}
<h2>${escapeHtml(texts.tickets)}</h2>
${payload.grant_mode === 'selected' ? ticketList(receipt, words) : paragraph(texts.all)}
<h2>${escapeHtml(texts.references)}</h2>
${facts(
  [
    [texts.access, payload.grant_id],
    [texts.client, payload.client_id],
    [texts.fan, payload.sub],
  ],
  'id',
)}
<h2>${escapeHtml(texts.statement)}</h2>
<p>${escapeHtml(texts.proof)} <bdi class="id" dir="ltr">${escapeHtml(keysUrl)}</bdi></p>
${attachment(texts.showStatement, statement)}
${key === undefined ? '' : attachment(texts.showKey, JSON.stringify(key, null, 2))}
</main>
</body>
</html>
`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function facts(rows: [term: string, text: string][], look = ''): string {
  const row = ([term, text]: [string, string]) =>
    `<dt>${escapeHtml(term)}</dt><dd class="${look}"><bdi>${escapeHtml(text)}</bdi></dd>`;
  return `<dl>${rows.map(row).join('\n')}</dl>`;
}

function actionList(actions: readonly string[], { page }: ReceiptWords): string {
  return list(
    actions.map((action) => describeAction(page, action)).map(({ title, detail }) => ({ title, detail: [detail] })),
  );
}

function ticketList({ tickets }: OwnReceipt, { texts, locale }: ReceiptWords): string {
  if (tickets.length === 0) return paragraph(texts.none);
  return list(
    groupTickets(tickets).map(({ eventName, startsAt, timeZone, venue, rows }) => ({
      title: eventName,
      detail: [
        eventTime({ startsAt, timeZone }, locale),
        ...(venue === null ? [] : [venue]),
        countedTypes(rows).join(', '),
      ],
    })),
  );
}

/** Each text in its own direction. */
function list(rows: { title: string; detail: string[] }[]): string {
  const bdi = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;
  const row = ({ title, detail }: { title: string; detail: string[] }) =>
    `<li><strong>${bdi(title)}</strong><small>${detail.map(bdi).join(' · ')}</small></li>`;
  return `<ul>${rows.map(row).join('\n')}</ul>`;
}

function attachment(label: string, text: string): string {
  return `<details><summary>${escapeHtml(label)}</summary><pre dir="ltr">${escapeHtml(text)}</pre></details>`;
}
