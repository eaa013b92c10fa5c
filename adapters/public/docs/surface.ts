import { readFile } from 'node:fs/promises';
import { send } from '@koa/send';
import type { Context } from 'koa';
import compose from 'koa-compose';
import compress from 'koa-compress';
import type { Runtime } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { loadOperator, operatorHead } from '../../fan-pages/operator/load-operator.ts';
import { isForBrowser } from '../../fan-pages/plain-pages/answer-unknown.ts';
import { contentSecurityPolicy, loadBuiltPage, newNonce } from '../../http/built-page.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { redirectTo } from '../../http/redirect.ts';
import type { Handler } from '../../http/request-state.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { valuesOf } from './values.ts';

const DIST = new URL('./ui/dist/', import.meta.url);
const MAX_AGE_SECONDS = 300;
const YEAR_MS = 365 * 86_400_000;
/** The page for an unknown address. */
const UNKNOWN = 'not-found';
const SDK_FILE = /^fan-api-sdk-[\d.]+\.tgz$/;
const SAMPLE_FILE = /^[a-z][a-z0-9_-]*\.(?:ts|go|py|sh)$/;

interface Beside {
  kit: StarterKit | undefined;
  /** Its address, where it is served. */
  playground: string | undefined;
}

/**
 * The documentation for partners: pages that were built from Markdown, into which this installation's addresses are filled. Each is also
 * there as Markdown (`{page}.md`), and `llms.txt` lists them. Nothing is kept in memory.
 */
export async function docsSurface({ config }: Pick<Runtime, 'config'>, { kit, playground }: Beside): Promise<Handler> {
  const { docsUrl, apiUrl, authUrl } = config;
  const base = basePath(docsUrl);
  const operator = await loadOperator(config);
  const connect = [...new Set([apiUrl, authUrl].map((url) => new URL(url).origin))];
  const { assets } = await loadBuiltPage(DIST, docsUrl);
  const values = valuesOf(config, kit, playground);
  const inHtml = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]));
  const frame = {
    ...inHtml,
    brand: escapeHtml(brandOf(operator.name)),
    playground_item: itemOf('Playground', playground),
    workspace_item: itemOf('Partner workspace', config.knownSurfaces.has('partners') ? config.partnersUrl : undefined),
  };

  async function showPage(ctx: Context, name: string): Promise<void> {
    const source = await read(`${name}.html`);
    if (source === undefined) return;
    // the renderer of the reference makes style elements
    const nonce = name === 'reference' ? newNonce() : undefined;
    const head = [
      `<base href="${escapeHtml(docsUrl)}/">`,
      `<link rel="alternate" type="text/markdown" href="${name}.md">`,
      ...(nonce === undefined
        ? []
        : [
            // Scalar reads `content`
            `<meta property="csp-nonce" content="${nonce}">`,
            `<meta name="openapi" content="${escapeHtml(`${apiUrl}/openapi.json`)}">`,
          ]),
    ];
    ctx.set(
      'Content-Security-Policy',
      contentSecurityPolicy({ connect: () => connect, styleAttributes: nonce !== undefined, operator }, nonce),
    );
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cache-Control', nonce === undefined ? `public, max-age=${MAX_AGE_SECONDS}` : 'no-store');
    ctx.append('Link', `<${docsUrl}/${name}.md>; rel="alternate"; type="text/markdown"`);
    ctx.type = 'html';
    ctx.status = name === UNKNOWN ? 404 : 200;
    ctx.body = filled(source, frame)
      .replace('<head>', () => `<head>\n    ${head.join('\n    ')}`)
      .replace('</head>', () => `${operatorHead({ ...operator, name: undefined })}</head>`);
  }

  async function showText(ctx: Context, file: string, type: string): Promise<void> {
    const source = await read(file);
    if (source === undefined) return;
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    ctx.type = type;
    ctx.body = filled(source, values);
  }

  const routes: Route[] = [
    {
      path: [base || '/', `${base}/`],
      methods: ['GET'],
      // with a slash, as the links of the page have it
      handle: (ctx) => (ctx.path === base ? redirectTo(ctx, `${docsUrl}/${ctx.search}`) : showPage(ctx, 'index')),
    },
    {
      path: ['/llms.txt', `${base}/llms.txt`],
      methods: ['GET'],
      handle: (ctx) => showText(ctx, 'llms.txt', 'text/plain; charset=utf-8'),
    },
    assets,
    {
      path: [`${base}/scalar/:version/:file`, `${base}/scalar/:version/:folder/:file`],
      methods: ['GET'],
      async handle(ctx) {
        ctx.vary('Accept-Encoding');
        const path = ctx.path.slice(base.length);
        await send(ctx, path, { root: DIST.pathname, maxAge: YEAR_MS, immutable: true });
      },
    },
    {
      path: `${base}/samples/:file`,
      methods: ['GET'],
      async handle(ctx) {
        const file = String(ctx.params.file);
        if (SAMPLE_FILE.test(file)) await showText(ctx, `samples/${file}`, 'text/plain; charset=utf-8');
      },
    },
    {
      path: `${base}/sdk/:file`,
      methods: ['GET'],
      async handle(ctx) {
        const file = String(ctx.params.file);
        if (SDK_FILE.test(file)) await send(ctx, `sdk/${file}`, { root: DIST.pathname, maxAge: YEAR_MS });
      },
    },
    {
      path: `${base}/:page`,
      methods: ['GET'],
      async handle(ctx) {
        const [, name = '', isMarkdown] = /^([a-z-]+)(\.md)?$/.exec(String(ctx.params.page)) ?? [];
        if (name === '') return;
        if (isMarkdown) await showText(ctx, `${name}.md`, 'text/markdown; charset=utf-8');
        else await showPage(ctx, name);
      },
    },
  ];
  const showUnknown: Handler = async (ctx, next) => {
    await next();
    if (ctx.status === 404 && ctx.body == null && isForBrowser(ctx)) await showPage(ctx, UNKNOWN);
  };
  return compose([compress(), showUnknown, serveRoutes(routes)]);
}

const brandOf = (operator: string | undefined): string =>
  operator === undefined ? 'Fan API' : `${operator} · Fan API`;

/** An entry of the navigation; empty where it leads nowhere. */
const itemOf = (label: string, href: string | undefined): string =>
  href === undefined ? '' : `<li><a href="${escapeHtml(href)}">${label}</a></li>`;

/** Undefined where there is no such page. */
async function read(name: string): Promise<string | undefined> {
  return readFile(new URL(name, DIST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function filled(source: string, values: Readonly<Record<string, string>>): string {
  return source.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
