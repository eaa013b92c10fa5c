import Router from '@koa/router';
import type { Context as Koa, Middleware } from 'koa';
import compose from 'koa-compose';
import { readOwnReceipt } from '../../src/consent/sign-receipt.ts';
import { DomainError } from '../../src/errors.ts';
import type { WithKeys } from '../../src/keys/key-ring.ts';
import { JWKS_MAX_AGE } from '../../src/oauth/lifetimes.ts';
import { authServerMetadataUrl, discoveryDocument } from '../../src/oauth/metadata.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { readUserinfo } from '../../src/token/read-userinfo.ts';
import { verifyAccessToken } from '../../src/token/verify-access-token.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { hasSeparateLoginHost } from '../http/browser-cookie.ts';
import { checkRequest } from '../http/check-request.ts';
import { partnerCors, publicCors } from '../http/cors.ts';
import { shapeFinder } from '../http/error-shape.ts';
import { createLimiter } from '../http/rate-limit.ts';
import { learn, learnToken } from '../http/record-requests.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { handleAuthorize, handleHandOver } from './authorize.ts';
import { answerInvalidToken, answerNotFound, oauthErrors } from './errors.ts';
import { handleRevoke, handleToken } from './token.ts';

/** The authorization server (spec §4.2). */
export function oauthSurface(runtime: Runtime): Middleware<RequestState> {
  const { authUrl, tokenFailureLimit } = runtime.config;
  const failures = createLimiter(tokenFailureLimit);
  const router = new Router<RequestState>({ prefix: basePath(authUrl) });
  const metadata = discoveryDocument(authUrl);

  const describeServer: Middleware<RequestState> = (ctx) => {
    learn(ctx, { operation: 'metadata.read' });
    ctx.set('Cache-Control', `public, max-age=${JWKS_MAX_AGE}`);
    ctx.body = metadata;
  };
  router.get('/.well-known/openid-configuration', describeServer);
  const outside = new Router<RequestState>();
  outside.get(basePath(authServerMetadataUrl(authUrl)), describeServer);
  router.get('/.well-known/jwks.json', async (ctx) => {
    learn(ctx, { operation: 'metadata.read' });
    const jwks = await runtime.keys.published();
    ctx.set('Cache-Control', `public, max-age=${JWKS_MAX_AGE}`);
    ctx.body = jwks;
  });
  // HEAD would open a session that nobody can use
  const authorize = onlyBy(['GET', 'POST'], (ctx) => handleAuthorize(createContext(runtime, ctx.state.requestId), ctx));
  router.all('/oauth2/authorize', authorize);
  if (hasSeparateLoginHost(runtime.config)) {
    const handOver = onlyBy(['GET'], (ctx) => handleHandOver(createContext(runtime, ctx.state.requestId), ctx));
    router.all('/oauth2/hand-over', handOver);
  }
  router.post('/oauth2/token', (ctx) => handleToken(createContext(runtime, ctx.state.requestId), ctx, failures));
  router.post('/oauth2/revoke', (ctx) => handleRevoke(createContext(runtime, ctx.state.requestId), ctx));
  router.register('/oauth2/userinfo', ['GET', 'POST'], async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    learn(ctx, { operation: 'userinfo.read' });
    try {
      const context = createContext(runtime, ctx.state.requestId);
      ctx.body = await readUserinfo(context, await verifiedBearer(context, ctx));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      answerInvalidToken(ctx, error);
    }
  });
  router.get('/oauth2/grants/:grant/receipt', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    learn(ctx, { operation: 'receipts.read' });
    try {
      const context = createContext(runtime, ctx.state.requestId);
      const receipt = await readOwnReceipt(context, await verifiedBearer(context, ctx), String(ctx.params.grant));
      // not ctx.type, which would add a charset to it
      ctx.set('Content-Type', 'application/jwt');
      ctx.body = receipt;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      if (error.code === 'not_found') answerNotFound(ctx, error);
      else answerInvalidToken(ctx, error);
    }
  });

  return compose([
    corsByPath(runtime),
    oauthErrors(runtime.log, shapeFinder(runtime.config)),
    checkRequest(),
    outside.routes() as unknown as Middleware<RequestState>,
    outside.allowedMethods() as unknown as Middleware<RequestState>,
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}

/** Refuses every other method, HEAD and OPTIONS included, which the router would else serve. */
function onlyBy(methods: string[], handle: Middleware<RequestState>): Middleware<RequestState> {
  return (ctx, next) => {
    if (!methods.includes(ctx.method)) throw new RequestError(405, `${ctx.method} is not allowed here`, methods);
    return handle(ctx, next);
  };
}

/** The bearer token, once it is known to be ours: the request log learns whose it is. @throws DomainError as `verifyAccessToken` */
async function verifiedBearer(context: Pick<ServiceContext, 'config' | 'now'> & WithKeys, ctx: Koa): Promise<string> {
  const text = bearerToken(ctx);
  learnToken(ctx, await verifyAccessToken(context, text));
  return text;
}

/** Public documents are for any origin, the endpoints that browser code calls for partners' origins, authorize for none. */
function corsByPath(runtime: Runtime): Middleware {
  const base = basePath(runtime.config.authUrl).toLowerCase();
  const anyOrigin = publicCors();
  const partners = partnerCors(runtime, ['GET', 'POST']);
  const policies = new Map([
    [`${base}/.well-known/openid-configuration`, anyOrigin],
    [basePath(authServerMetadataUrl(runtime.config.authUrl)).toLowerCase(), anyOrigin],
    [`${base}/.well-known/jwks.json`, anyOrigin],
    [`${base}/oauth2/token`, partners],
    [`${base}/oauth2/userinfo`, partners],
    [`${base}/oauth2/revoke`, partners],
  ]);
  const isReceipt = (path: string) => path.startsWith(`${base}/oauth2/grants/`);
  return (ctx, next) => {
    const path = asRouted(ctx.path);
    const policy = isReceipt(path) ? partners : policies.get(path);
    return policy?.(ctx, next) ?? next();
  };
}

/** The router minds neither case nor a slash at the end. */
function asRouted(path: string): string {
  return path.replace(/\/$/, '').toLowerCase();
}
