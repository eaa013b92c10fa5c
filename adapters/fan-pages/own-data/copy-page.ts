import type { CopiedRow, FanCopy } from '../../../src/sign-in/own-data/copy-data.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { documentPage } from '../download/document.ts';
import { chooseCatalogue } from '../page-kit/languages.ts';
import { describeAction } from '../page-kit/texts/describe-action.ts';
import { readCatalogues } from '../page-kit/texts/read-catalogues.ts';
import type { ReceiptWords } from '../portal/receipt/receipt-words.ts';
import { inSol } from '../portal/ui/parts/in-sol.ts';
import type en from './texts/en.json';

const CATALOGUES = readCatalogues<typeof en>(new URL('./texts/', import.meta.url));

/** The parts for people, and of each the columns that say something to them: the first one names the row. */
const SHOWN: Readonly<Record<keyof typeof en.parts, readonly string[]>> = {
  account: ['phone', 'created_at', 'number_proved_at'],
  former_numbers: ['phone', 'given_up_at'],
  passkeys: ['name', 'added_at', 'last_used_at'],
  visits: ['began_at'],
  sign_ins: ['app', 'began_at'],
  grants: ['app', 'company', 'actions', 'given_at', 'ended_at'],
  tickets: ['event', 'ticket_type', 'venue', 'starts_at', 'reference'],
  listings: ['event', 'ticket_type', 'price_lamports', 'on_sale_since', 'ended_at'],
  claims: ['event', 'ticket_type', 'app', 'at'],
  moves: ['event', 'ticket_type', 'ended_at'],
  wallets: ['address'],
  told: ['app', 'type', 'occurred_at'],
  requests: ['app', 'operation', 'at'],
  record: ['action', 'at'],
};
/** Rows of a part, the newest: the file has the others. */
const MOST_ROWS = 200;

/** A copy of a fan's data as a document that a person can read, keep and print. Every text in it is escaped. */
export function copyPage({ made_at, fan, parts }: FanCopy, words: ReceiptWords): string {
  const { catalogue: texts } = chooseCatalogue([words.locale], CATALOGUES);
  const labels: Partial<Record<string, string>> = texts.fields;
  const text = (column: string, value: unknown): string => {
    if (value instanceof Date) return words.formatMoment(value.getTime() / 1000);
    if (column === 'price_lamports') return inSol(String(value), words.locale);
    const all = Array.isArray(value) ? value : [value];
    return all.map((each) => (column === 'actions' ? describeAction(words.page, each).title : String(each))).join(', ');
  };
  const row = (columns: readonly string[], values: CopiedRow): string => {
    const known = columns.filter((column) => values[column] !== null && values[column] !== undefined);
    const [title, ...details] = known.map((column, index) => {
      const label = index > 0 ? labels[column] : undefined;
      return `${label === undefined ? '' : `${escapeHtml(label)}: `}<bdi>${escapeHtml(text(column, values[column]))}</bdi>`;
    });
    return `<li><strong>${title ?? ''}</strong><small>${details.join(' · ')}</small></li>`;
  };
  const section = ([part, columns]: [string, readonly string[]]): string => {
    // the fan's own calls of pages have no app
    const rows = (parts[part] ?? []).filter((values) => values[columns[0] ?? ''] != null);
    const more = rows.length > MOST_ROWS ? `<p class="muted">… +${rows.length - MOST_ROWS} (JSON)</p>` : '';
    if (rows.length === 0) return '';
    const title = texts.parts[part as keyof typeof texts.parts];
    const items = rows.slice(-MOST_ROWS).map((values) => row(columns, values));
    return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('\n')}</ul>${more}`;
  };
  return documentPage(
    words,
    texts.title,
    `<h1>${escapeHtml(texts.title)}</h1>
<p class="intro">${escapeHtml(texts.intro)}</p>
<p class="muted">${escapeHtml(texts.made)}: ${escapeHtml(words.formatMoment(made_at.getTime() / 1000))}
<bdi class="id" dir="ltr">${escapeHtml(fan)}</bdi></p>
${Object.entries(SHOWN).map(section).join('\n')}`,
  );
}
