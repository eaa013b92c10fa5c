import { readFile } from 'node:fs/promises';
import type { Config } from '../../src/platform/config/config.ts';
import { servedDocsUrl } from './help-link.ts';
import type { Handler } from './request-state.ts';
import { basePath } from './surface.ts';

const ICON = new URL('../fan-pages/page-kit/icon.svg', import.meta.url);

/** Files that browsers and search engines request from every host. Search engines may index the documentation only. */
export async function siteFiles(config: Config): Promise<Handler> {
  const docs = servedDocsUrl(config);
  const files = new Map([
    ['/favicon.ico', { type: 'image/svg+xml', body: await readFile(ICON, 'utf8') }],
    [
      '/robots.txt',
      { type: 'text/plain; charset=utf-8', body: robots(docs === undefined ? undefined : basePath(docs)) },
    ],
  ]);
  return (ctx, next) => {
    const file = files.get(ctx.path);
    if (file === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.type = file.type;
    ctx.body = file.body;
  };
}

/** @see RFC 9309 */
function robots(docs: string | undefined): string {
  const allowed = docs === undefined ? [] : [`Allow: ${docs}/`, `Allow: ${docs}$`];
  return ['User-agent: *', 'Disallow: /', ...allowed, ''].join('\n');
}
