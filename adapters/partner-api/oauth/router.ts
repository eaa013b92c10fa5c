import { JWKS_MAX_AGE } from '../../../src/keys/lifetimes.ts';
import { authServerMetadataUrl, discoveryDocument } from '../../../src/oauth/metadata.ts';
import { readUserinfo } from '../../../src/oauth/token/read-userinfo.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { readOwnReceipt } from '../../../src/sign-in/consent/sign-receipt.ts';
import { answerJson } from '../../http/answer-json.ts';
import { verifyBearer } from '../../http/bearer-token.ts';
import { hasSeparateLoginHost } from '../../http/browser-cookie.ts';
import { partnerCors, publicCors } from '../../http/cors.ts';
import { doCall } from '../../http/do-call.ts';
import { errorShapes } from '../../http/error-shape.ts';
import { createSharedLimiter } from '../../http/rate-limit.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { handleAuthorize, handleHandOver } from './authorize.ts';
import { oauthErrors } from './errors.ts';
import { handleRevoke, handleToken } from './token.ts';

/** The authorization server (spec §4.2). */
export function oauthSurface(runtime: Runtime): Handler {
  const { authUrl, tokenFailureLimit } = runtime.config;
  const base = basePath(authUrl);
  const refusals = {
    limiter: createSharedLimiter(runtime, 'token failures', tokenFailureLimit),
    running: new Map<string, number>(),
  };
  const metadata = discoveryDocument(authUrl, runtime.uiLocales);
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);

  // public documents allow any origin, endpoints of browser code partners' origins, authorize none
  const document = {
    methods: ['GET'],
    operation: 'metadata.read',
    cors: publicCors(),
    cache: { maxAge: JWKS_MAX_AGE },
  } satisfies Partial<Route>;
  const cors = partnerCors(runtime, ['GET', 'POST']);
  const routes: Route[] = [
    {
      ...document,
      path: [basePath(authServerMetadataUrl(authUrl)), `${base}/.well-known/openid-configuration`],
      handle(ctx) {
        ctx.body = metadata;
      },
    },
    {
      ...document,
      path: `${base}/.well-known/jwks.json`,
      async handle(ctx) {
        ctx.body = await runtime.keys.published();
      },
    },
    {
      path: `${base}/oauth2/authorize`,
      methods: ['GET', 'POST'],
      // HEAD would open a session that nobody can use
      exact: true,
      operation: 'authorize.start',
      handle: (ctx) => handleAuthorize(contextOf(ctx), ctx),
    },
    {
      path: `${base}/oauth2/token`,
      methods: ['POST'],
      operation: 'token.request',
      cors,
      cache: 'token',
      handle: (ctx) => handleToken(contextOf(ctx), ctx, refusals),
    },
    {
      path: `${base}/oauth2/revoke`,
      methods: ['POST'],
      operation: 'token.revoke',
      cors,
      cache: 'token',
      handle: (ctx) => handleRevoke(contextOf(ctx), ctx),
    },
    {
      path: `${base}/oauth2/userinfo`,
      methods: ['GET', 'POST'],
      operation: 'userinfo.read',
      cors,
      cache: 'no-store',
      async handle(ctx) {
        const token = await verifyBearer(runtime, ctx);
        answerJson(
          ctx,
          await doCall(runtime, ctx, { clientId: token.client_id, token }, (context) => readUserinfo(context, token)),
        );
      },
    },
    {
      path: `${base}/oauth2/grants/:grant/receipt`,
      methods: ['GET'],
      operation: 'receipts.read',
      cors,
      cache: 'no-store',
      async handle(ctx) {
        const context = contextOf(ctx);
        const receipt = await readOwnReceipt(context, await verifyBearer(context, ctx), String(ctx.params.grant));
        // not ctx.type, which would add a charset
        ctx.set('Content-Type', 'application/jwt');
        ctx.body = receipt;
      },
    },
  ];
  if (hasSeparateLoginHost(runtime.config)) {
    routes.push({
      path: `${base}/oauth2/hand-over`,
      methods: ['GET'],
      exact: true,
      operation: 'authorize.hand_over',
      handle: (ctx) => handleHandOver(contextOf(ctx), ctx),
    });
  }
  return serveRoutes(routes, { errors: oauthErrors(runtime.log, errorShapes(runtime.config)) });
}
