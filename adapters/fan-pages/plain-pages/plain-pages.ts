import { readFile } from 'node:fs/promises';
import type { Config } from '../../../src/platform/config/config.ts';
import type { PlainPages } from '../../http/plain-page.ts';
import { loadOperator, styleSource } from '../operator/load-operator.ts';
import { pageHtml } from './page-html.ts';
import { wordsFor } from './page-words.ts';

/** The styles of the built pages, and one for plain pages. */
const STYLES = [
  '../../../packages/look/src/tokens',
  '../page-kit/style/controls',
  '../page-kit/style/page',
  './style/plain',
];

/** Reads the styles, so that a process without any built page has the same look. */
export async function createPlainPages(config: Pick<Config, 'operator' | 'loginUrl'>): Promise<PlainPages> {
  const operator = await loadOperator(config);
  const sheets = await Promise.all(STYLES.map((name) => readFile(new URL(`${name}.css`, import.meta.url), 'utf8')));
  const style = [...sheets, operator.style ?? ''].join('\n');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${styleSource(style)}`,
      ["img-src 'self'", ...(operator.logoUrl === undefined ? [] : [new URL(operator.logoUrl).origin])].join(' '),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
  return {
    write(page, { requestId, wishes }) {
      const isForFans = typeof page === 'function';
      const words = wordsFor(isForFans ? wishes : undefined);
      const shown = isForFans ? page(words) : page;
      const hasForm = shown.next !== undefined && 'action' in shown.next;
      return {
        // without any referrer, browsers send a form with the origin `null`, as if another site had sent it
        headers: hasForm ? { ...headers, 'Referrer-Policy': 'same-origin' } : headers,
        body: pageHtml(shown, { words, operator, style, isForFans, requestId }),
      };
    },
  };
}
