import type { Config } from '../../src/platform/config/config.ts';
import type { ErrorShape, ErrorShapeOf } from './error-shape.ts';
import { isProbe } from './health.ts';
import type { Handler } from './request-state.ts';

/** The documentation's page of error codes. */
const PAGE = 'errors';

/** The code for a status where the answer has none, such as an answer that Node writes. */
const BY_STATUS: Readonly<Record<number, string>> = {
  404: 'unknown_route',
  405: 'method_not_allowed',
  429: 'rate_limited',
  500: 'internal',
  503: 'unavailable',
};

/** The value of `Link` that leads from an error answer to what the documentation says about it. */
export type HelpLinkOf = (shape: ErrorShape, status: number, code?: string) => string | undefined;

/**
 * Links to the entry of an error: `{DOCS_URL}/errors#{code}`, or `#oauth-{code}` for an error of the authorization server,
 * which has `invalid_request` too. Without documentation there are no links.
 * @see RFC 8288
 */
export function helpLinks(config: Pick<Config, 'knownSurfaces' | 'docsUrl'>): HelpLinkOf {
  return (shape, status, code) => {
    const url = helpUrl(config, shape, status, code);
    return url && `<${url}>; rel="help"`;
  };
}

/** What the documentation says about an error; undefined without documentation. */
export function helpUrl(
  { knownSurfaces, docsUrl }: Pick<Config, 'knownSurfaces' | 'docsUrl'>,
  shape: ErrorShape,
  status: number,
  code?: string,
): string | undefined {
  const anchor = knownSurfaces.has('docs') ? anchorOf(shape, status, code) : undefined;
  return anchor && `${docsUrl}/${PAGE}#${anchor}`;
}

/** Calls of the console and of our pages get no link: partners don't make them. */
function anchorOf(shape: ErrorShape, status: number, code: string | undefined): string | undefined {
  // a code that no surface defines, such as `http_404`, has no entry
  const named = code === undefined || !/^[a-z_]+$/.test(code) ? undefined : code;
  switch (shape) {
    case 'fan':
    case 'text':
      return named ?? BY_STATUS[status] ?? 'invalid_request';
    case 'oauth':
      return `oauth-${named === undefined || status >= 500 ? oauthCode(status) : named}`;
    default:
      return undefined;
  }
}

/** @see RFC 6749 §4.1.2.1 */
function oauthCode(status: number): string {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** Adds the link to every error answer of the Fan API and the authorization server, and to those of unknown addresses. */
export function linkHelp(linkOf: HelpLinkOf, shapeOf: ErrorShapeOf): Handler {
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400 || ctx.headerSent || isProbe(ctx.path)) return;
    const link = linkOf(shapeFor(ctx.path, shapeOf(ctx.host, ctx.path)), ctx.status, ctx.state.outcome);
    if (link !== undefined) ctx.append('Link', link);
  };
}

/** The authorize endpoint shows its errors as pages. */
function shapeFor(path: string, shape: ErrorShape): ErrorShape {
  return shape === 'page' && path.includes('/oauth2/') ? 'oauth' : shape;
}

/** Where pages and answers may lead to the documentation; undefined where no process serves it. */
export function servedDocsUrl({
  knownSurfaces,
  docsUrl,
}: Pick<Config, 'knownSurfaces' | 'docsUrl'>): string | undefined {
  return knownSurfaces.has('docs') ? docsUrl : undefined;
}
