import { readFile } from 'node:fs/promises';
import { send } from '@koa/send';
import type { Context } from 'koa';

/**
 * A page that Vite built: `index.html` with a `<base>` for the address at which it is served, and assets with a hash in
 * their names.
 */
export interface BuiltPage {
  index(ctx: Context): void;
  /** @param path below `assets/` */
  asset(ctx: Context, path: string): Promise<void>;
}

/**
 * @param dist folder of the built page
 * @param base URL at which it is served, without a trailing slash
 * @param connect origins, besides its own, that it may call
 * @throws Error where the page has not been built
 */
export async function loadBuiltPage(dist: URL, base: string, connect: string[] = []): Promise<BuiltPage> {
  const template = await readFile(new URL('index.html', dist), 'utf8').catch((cause) => {
    throw new Error(`The pages in ${dist.pathname} are not built: run npm run build`, { cause });
  });
  const html = template.replace('<head>', `<head>\n    <base href="${base}/">`);
  const policy = contentSecurityPolicy(connect);
  return {
    index(ctx) {
      ctx.set('Content-Security-Policy', policy);
      ctx.set('Referrer-Policy', 'no-referrer');
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'html';
      ctx.body = html;
    },
    async asset(ctx, path) {
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.vary('Accept-Encoding');
      try {
        await send(ctx, `/assets/${path}`, { root: dist.pathname, maxAge: YEAR_MS, immutable: true });
      } catch (error) {
        // the message of the refusal names the file's place on this machine
        if (!(error instanceof Error && 'status' in error) || Number(error.status) >= 500) throw error;
        ctx.status = Number(error.status);
        ctx.body = 'There is no such file.';
      }
    },
  };
}

const YEAR_MS = 365 * 86_400_000;

function contentSecurityPolicy(connect: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
