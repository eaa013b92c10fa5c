import type { JWK } from 'jose';
import { actionsOf } from '../../../../src/partners/scopes.ts';
import type { OwnReceipt } from '../../../../src/sign-in/consent/sign-receipt.ts';
import { escapeHtml } from '../../../http/escape-html.ts';
import { documentPage } from '../../download/document.ts';
import { describeAction, isSelling } from '../../page-kit/texts/describe-action.ts';
import { eventTime } from '../../page-kit/tickets/event-time.ts';
import { countedTypes, groupTickets, resaleNotes, type TicketRow } from '../../page-kit/tickets/group-tickets.ts';
import { describeResale } from '../../page-kit/tickets/resale.ts';
import type { ReceiptWords } from './receipt-words.ts';

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
  return documentPage(
    words,
    `${texts.kind}: ${payload.client_name}`,
    `<p class="kind muted">${escapeHtml(texts.kind)}</p>
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
${key === undefined ? '' : attachment(texts.showKey, JSON.stringify(key, null, 2))}`,
  );
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

function ticketList({ payload, tickets }: OwnReceipt, words: ReceiptWords): string {
  const { texts, locale } = words;
  const sells = payload.granted_actions.some(isSelling);
  if (tickets.length === 0) return paragraph(texts.none);
  return list(
    groupTickets(tickets).map(({ eventName, startsAt, timeZone, venue, rows }) => ({
      title: eventName,
      detail: [
        eventTime({ startsAt, timeZone }, locale),
        ...(venue === null ? [] : [venue]),
        countedTypes(rows).join(', '),
        ...(sells ? limitsOf(rows, timeZone, words) : []),
      ],
    })),
  );
}

/** What limits the resale of tickets of an event; where it limits only some of them, with their types. */
function limitsOf(rows: readonly TicketRow[], timeZone: string, { page, locale, format }: ReceiptWords): string[] {
  return resaleNotes(rows).map(({ limit, types }) => {
    const text = describeResale(limit, timeZone, { texts: page, locale, format });
    return types === undefined ? text : `${text} (${types.join(', ')})`;
  });
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
