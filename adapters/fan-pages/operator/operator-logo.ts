import type { Config } from '../../../src/platform/config/config.ts';
import type { Route } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import type { Operator } from './load-operator.ts';

const YEAR_SECONDS = 365 * 86_400;

/**
 * `GET {LOGIN_URL}/operator/{start of the hash}`: the operator's logo. Pages of another host show it too, such as the errors
 * of the authorize endpoint.
 */
export function operatorLogoRoute(
  { operator: { logo }, loginUrl }: Pick<Config, 'operator' | 'loginUrl'>,
  { logoUrl }: Pick<Operator, 'logoUrl'>,
): Route {
  return {
    path: `${basePath(loginUrl)}/operator/:hash`,
    methods: ['GET'],
    handle(ctx) {
      // otherwise the address is unknown
      if (!logo || !logoUrl?.endsWith(`/${ctx.params.hash}`)) return;
      ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
      ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
      ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
      ctx.type = `image/${logo.kind}`;
      ctx.body = logo.image;
    },
  };
}
