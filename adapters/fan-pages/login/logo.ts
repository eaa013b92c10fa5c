import type { Context as Koa } from 'koa';
import { readClientLogo } from '../../../src/partners/client/client-logo.ts';
import type { Runtime } from '../../../src/runtime.ts';

const YEAR_SECONDS = 365 * 86_400;

/**
 * `GET {LOGIN_URL}/logos/{client_id}/{start of the hash}`: a logo that a partner supplied. The address contains its hash, so
 * browsers cache it for good. The headers make a browser treat it as this type of image only, run no script in it, and show
 * it on our own pages only.
 */
export function serveLogo(runtime: Pick<Runtime, 'pool'>): (ctx: Koa) => Promise<void> {
  return async (ctx) => {
    const { clientId, hash } = ctx.params as { clientId: string; hash: string };
    const logo = await readClientLogo(runtime, clientId, hash);
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (logo) {
      ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
      ctx.type = `image/${logo.kind}`;
      ctx.body = logo.image;
    } else {
      ctx.set('Cache-Control', 'no-store');
      ctx.status = 404;
      ctx.body = 'There is no such logo.';
    }
  };
}
