import { escapeHtml } from '../../http/escape-html.ts';
import type { Operator } from './load-operator.ts';

/** What a built page gets in its `<head>`: the operator's data for its scripts, and the colours. Empty without an operator. */
export function operatorHead({ name, logoUrl: logo, privacyUrl, termsUrl, helpUrl, style }: Operator): string {
  const links = { privacy: privacyUrl, terms: termsUrl, help: helpUrl };
  const data = JSON.stringify({ name, logo, ...links });
  const meta = data === '{}' ? '' : `<meta name="operator" content="${escapeHtml(data)}">\n`;
  return style === undefined ? meta : `${meta}<style>${style}</style>\n`;
}
