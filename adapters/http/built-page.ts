import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { send } from '@koa/send';
import type { Context } from 'koa';
import { type Operator, operatorHead, styleSource } from '../fan-pages/operator/load-operator.ts';
import { escapeHtml } from './escape-html.ts';
import type { Route } from './routes.ts';
import { basePath } from './surface.ts';

/** A page that Vite built: `index.html` with a `<base>` for its address, and assets with a hash in their names. */
export interface BuiltPage {
  index(ctx: Context): void;
  /** The route of its assets. */
  assets: Route;
}

/** What a page may do besides loading its own scripts, styles and images. */
export interface PageRights {
  /** Origins, besides its own, that it may call; asked at each request, because some are known only after the start. */
  connect?: () => string[];
  /** Whether it may make `<style>` elements, with the nonce in `<meta property="csp-nonce">`. */
  styleElements?: boolean;
  /** Whether scripts of others may write `style` attributes. */
  styleAttributes?: boolean;
  /** Whether it has forms that post to its own origin. */
  forms?: boolean;
  /** Address of the documentation, if the page links to it: `<meta name="docs">`. */
  docsUrl?: string | undefined;
  /** The operator, if the page shows it. */
  operator?: Operator;
  /** Writes the content of its `<noscript>`. */
  noScript?: (ctx: Context) => string;
}

/**
 * @param dist folder of the built page
 * @param base URL at which it is served, without a trailing slash
 * @throws Error where the page has not been built
 */
export async function loadBuiltPage(dist: URL, base: string, rights: PageRights = {}): Promise<BuiltPage> {
  const template = await readFile(new URL('index.html', dist), 'utf8').catch((cause) => {
    throw new Error(`The pages in ${dist.pathname} are not built: run npm run build`, { cause });
  });
  const docs = rights.docsUrl === undefined ? '' : `<meta name="docs" content="${escapeHtml(rights.docsUrl)}">\n`;
  const head = docs + (rights.operator === undefined ? '' : operatorHead(rights.operator));
  const html = template
    .replace('<head>', () => `<head>\n    <base href="${base}/">`)
    // the colours come last, after those of the page
    .replace('</head>', () => `${head}</head>`);
  return {
    index(ctx) {
      const nonce = rights.styleElements ? newNonce() : undefined;
      ctx.set('Content-Security-Policy', contentSecurityPolicy(rights, nonce));
      ctx.set('Referrer-Policy', 'no-referrer');
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'html';
      const page = html.replace('<noscript></noscript>', () => `<noscript>${rights.noScript?.(ctx) ?? ''}</noscript>`);
      ctx.body =
        nonce === undefined ? page : page.replace('<head>', `<head>\n    <meta property="csp-nonce" nonce="${nonce}">`);
    },
    assets: {
      path: `${basePath(base)}/assets/:file`,
      methods: ['GET'],
      operation: 'page.file',
      async handle(ctx) {
        ctx.vary('Accept-Encoding');
        try {
          await send(ctx, `/assets/${ctx.params.file}`, { root: dist.pathname, maxAge: YEAR_MS, immutable: true });
        } catch (error) {
          // its message names the file's path on this machine
          if (!(error instanceof Error && 'status' in error) || Number(error.status) >= 500) throw error;
          ctx.status = Number(error.status);
          ctx.body = 'There is no such file.';
        }
      },
    },
  };
}

const YEAR_MS = 365 * 86_400_000;

/** A nonce for one answer. @see CSP Level 3 §8.1 */
export const newNonce = (): string => randomBytes(18).toString('base64');

/** The policy of a page that Vite built. @param nonce of the page's `<style>` elements */
export function contentSecurityPolicy(
  { connect = () => [], forms = false, styleAttributes = false, operator }: PageRights,
  nonce: string | undefined,
): string {
  const styles = [
    "'self'",
    ...(nonce === undefined ? [] : [`'nonce-${nonce}'`]),
    ...(operator?.style === undefined ? [] : [styleSource(operator.style)]),
  ];
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles.join(' ')}`,
    ...(styleAttributes ? ["style-src-attr 'unsafe-inline'"] : []),
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connect()].join(' ')}`,
    "base-uri 'self'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
