import { createHash } from 'node:crypto';
import type { Config } from '../../../src/platform/config/config.ts';
import type { OperatorConfig } from '../../../src/platform/config/operator.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import type { Palette } from './palette.ts';

/** The operator as pages show it. */
export interface Operator extends Pick<OperatorConfig, 'name' | 'privacyUrl' | 'termsUrl' | 'helpUrl'> {
  /** Address of the logo; undefined where there is none. */
  logoUrl: string | undefined;
  /** The colours as a style sheet, to follow the tokens of `@fan-api/look`; undefined for the neutral ones. */
  style: string | undefined;
}

/** Letters of the hash in the logo's address: another image has another address. */
const HASH_LETTERS = 16;

/** Makes what pages need from the configuration. */
export async function loadOperator({ operator, loginUrl }: Pick<Config, 'operator' | 'loginUrl'>): Promise<Operator> {
  const { logo, colour, ...shown } = operator;
  return {
    ...shown,
    logoUrl: logo && `${loginUrl}/operator/${logo.hash.slice(0, HASH_LETTERS)}`,
    style: colour === undefined ? undefined : await styleOf(colour),
  };
}

/** What a built page gets in its `<head>`: the operator's data for its scripts, and the colours. Empty without an operator. */
export function operatorHead({ name, logoUrl: logo, privacyUrl, termsUrl, helpUrl, style }: Operator): string {
  const links = { privacy: privacyUrl, terms: termsUrl, help: helpUrl };
  const data = JSON.stringify({ name, logo, ...links });
  const meta = data === '{}' ? '' : `<meta name="operator" content="${escapeHtml(data)}">\n`;
  return style === undefined ? meta : `${meta}<style>${style}</style>\n`;
}

/** The source expression with which a content security policy allows exactly this style element. @see CSP Level 3 §8.2 */
export function styleSource(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** The colour library is loaded only where there is a colour: it takes a tenth of a second. */
async function styleOf(colour: string): Promise<string> {
  const { paletteOf } = await import('./palette.ts');
  const [light, dark] = [variables(paletteOf(colour, 'light')), variables(paletteOf(colour, 'dark'))];
  return `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`;
}

function variables({ accent, fill, fillStrong, onFill, tint }: Palette): string {
  return `--accent:${accent};--fill:${fill};--fill-strong:${fillStrong};--on-fill:${onFill};--tint:${tint}`;
}
