import { setTimeout as pause } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { GoLiveAttempt } from '../../../src/entities/go-live-check.ts';
import { authServerMetadataUrl } from '../../../src/oauth/metadata.ts';
import { DomainError, ERRORS } from '../../../src/platform/errors.ts';
import { uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import {
  admitCall,
  answerListing,
  answerTickets,
  answerUserinfo,
} from '../../../src/sandbox/go-live-check/answer-api.ts';
import { answerAuthorize } from '../../../src/sandbox/go-live-check/answer-authorize.ts';
import { answerRpc } from '../../../src/sandbox/go-live-check/answer-rpc.ts';
import { answerToken } from '../../../src/sandbox/go-live-check/answer-token.ts';
import { attemptOf, type OpenRun, openRunUnder, recordEvent } from '../../../src/sandbox/go-live-check/open-run.ts';
import { checksUrl, publishedKeys, runDiscovery } from '../../../src/sandbox/go-live-check/run-addresses.ts';
import { unusableLinkPage } from '../../fan-pages/plain-pages/fan-pages.ts';
import { partnerCors } from '../../http/cors.ts';
import { errorShapes } from '../../http/error-shape.ts';
import { createLimiter, limitCall } from '../../http/rate-limit.ts';
import { readBody, readJson } from '../../http/read-body.ts';
import { redirectTo } from '../../http/redirect.ts';
import type { Handler, RequestState } from '../../http/request-state.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { showPage } from '../../http/show-page.ts';
import { basePath } from '../../http/surface.ts';
import { CreateAuthorizationRequest } from '../fan/wire.ts';
import { oauthErrors } from '../oauth/errors.ts';
import { FORM, readForm } from '../oauth/form.ts';
import { checkRoutes } from './check-routes.ts';
import { bearerIn, type Work, type WorkOf } from './work.ts';

/**
 * The addresses of go-live checks (`src/sandbox/go-live-check`): a hostile authorization server, API and RPC address for each run, and the
 * checks for programs. No cookie is read or set here, and nobody is signed in.
 *
 * @module
 */

/** Requests of one run in a minute and process. A race of ten tabs has some fifty. */
const PER_MINUTE = 600;
/** Answers that a process holds back at a time; further ones are sent immediately. */
const MOST_HELD = 50;

/** All addresses of all runs. */
export function goLiveCheckSurface(runtime: Runtime): Handler {
  const base = basePath(checksUrl(runtime.config));
  const limiter = createLimiter(PER_MINUTE);
  const workOf: WorkOf = async (ctx) => {
    const context = createContext(runtime, ctx.state.requestId);
    const open = await openRunUnder(context, ctx.params.run ?? '');
    ctx.state.simulated = true;
    ctx.state.caller = { client: uuidOf('client', open.client.id), mode: 'sandbox' };
    await limitCall(ctx, limiter, open.run.id, () => 'too many requests');
    return { context, open };
  };
  const routes = [
    ...serverRoutes(runtime, `${base}/:run`, workOf),
    ...apiRoutes(`${base}/:run/fan`, workOf),
    ...checkRoutes(runtime, `${base}/:run`, workOf),
  ];
  return serveRoutes(routes, {
    cors: partnerCors(runtime, ['GET', 'POST']),
    errors: withFanErrors(`${base}/`, oauthErrors(runtime.log, errorShapes(runtime.config))),
  });
}

/** A route whose answer is made from its run and must not be cached. */
function answering(
  workOf: WorkOf,
  methods: Route['methods'],
  path: Route['path'],
  answer: (work: Work, ctx: Parameters<WorkOf>[0]) => unknown,
): Route {
  const handle: Route['handle'] = async (ctx) => {
    ctx.body = await answer(await workOf(ctx), ctx);
  };
  return { path, methods, cache: 'no-store', handle };
}

/** The hostile authorization server. */
function serverRoutes(runtime: Runtime, base: string, workOf: WorkOf): Route[] {
  let held = 0;
  const hold = async (milliseconds: number): Promise<void> => {
    if (milliseconds === 0 || held >= MOST_HELD) return;
    held++;
    await pause(milliseconds).finally(() => held--);
  };
  const metadataPath = `${basePath(authServerMetadataUrl(checksUrl(runtime.config)))}/:run`;
  return [
    answering(workOf, ['GET'], [metadataPath, `${base}/.well-known/openid-configuration`], ({ open }) =>
      runDiscovery(open.issuer),
    ),
    answering(workOf, ['GET'], `${base}/.well-known/jwks.json`, async ({ context, open }) => {
      const attempt = await attemptOf(context, open);
      const last = attempt ?? (await lastAttempt(context, open));
      if (last) await recordEvent(context, last, { kind: 'jwks', facts: {} });
      return publishedKeys(open.keys, await wasRotated(context, open));
    }),
    {
      path: `${base}/oauth2/authorize`,
      methods: ['GET', 'POST'],
      exact: true,
      cache: 'no-store',
      handle: (ctx) => handleAuthorize(ctx, workOf),
    },
    {
      path: `${base}/oauth2/token`,
      methods: ['POST'],
      cache: 'token',
      async handle(ctx) {
        const { context, open } = await workOf(ctx);
        const form = await readForm(ctx);
        const { body, delayMs, isLost } = await answerToken(context, open, form.get);
        if (isLost) ctx.req.socket.destroy();
        await hold(delayMs);
        ctx.body = body;
      },
    },
    answering(workOf, ['GET', 'POST'], `${base}/oauth2/userinfo`, ({ context, open }, ctx) =>
      answerUserinfo(context, open, bearerIn(ctx)),
    ),
    answering(workOf, ['POST'], `${base}/rpc`, async ({ context, open }, ctx) =>
      answerRpc(context, open, await readJson(ctx)),
    ),
  ];
}

async function handleAuthorize(ctx: Parameters<WorkOf>[0], workOf: WorkOf): Promise<void> {
  try {
    const { context, open } = await workOf(ctx);
    // not ctx.URL, which is empty where the Host header is invalid
    const text = ctx.method === 'POST' ? await readBody(ctx, FORM) : ctx.querystring;
    redirectTo(ctx, await answerAuthorize(context, open, new URLSearchParams(text)));
  } catch (error) {
    if (!(error instanceof DomainError && ERRORS[error.code].status < 500)) throw error;
    ctx.state.outcome = error.code;
    ctx.state.message = error.message;
    const page = unusableLinkPage({ error: 'invalid_request', description: error.message, help: undefined });
    showPage(ctx, ERRORS[error.code].status, page);
  }
}

/** The latest check: keys are also read between two checks. */
function lastAttempt({ em }: ServiceContext, { run }: OpenRun): Promise<GoLiveAttempt | null> {
  return em.findOne(GoLiveAttempt, { run: run.id }, { orderBy: { id: 'desc' } });
}

/** Whether the check of rotated keys has begun once: from then on both keys are published. */
async function wasRotated({ em }: ServiceContext, { run }: OpenRun): Promise<boolean> {
  return (await em.count(GoLiveAttempt, { run: run.id, check: 'rotated-keys' })) > 0;
}

/** Errors of the API have the API's shape, all others that of the authorization server. @see spec §7 */
function withFanErrors(base: string, otherwise: Middleware<RequestState>): Middleware<RequestState> {
  return async (ctx, next) => {
    const [, area] = ctx.path.slice(base.length).split('/');
    if (area !== 'fan') return otherwise(ctx, next);
    return otherwise(ctx, async () => {
      try {
        await next();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        ctx.status = ERRORS[error.code].status;
        ctx.set('X-Error-Code', error.code);
        if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
        if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer error="invalid_token"');
        ctx.body = { message: error.message };
      }
    });
  };
}

/** The hostile API of a run: the operations of the Fan API. @see spec §4.1 */
function apiRoutes(base: string, workOf: WorkOf): Route[] {
  return [
    answering(workOf, ['GET'], `${base}/tickets`, async ({ context, open }, ctx) => {
      await admitCall(context, open, { path: 'GET /tickets', token: bearerIn(ctx) });
      return answerTickets(context.now());
    }),
    answering(workOf, ['POST'], `${base}/authorizations`, async ({ context, open }, ctx) => {
      const attempt = await admitCall(context, open, { path: 'POST /authorizations', token: bearerIn(ctx) });
      const request = CreateAuthorizationRequest.safeParse(await readJson(ctx));
      if (!request.success) {
        const [issue] = request.error.issues;
        throw new DomainError('invalid_request', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
      }
      return { transactions: await answerListing(context, attempt, request.data.transactions) };
    }),
    answering(workOf, ['POST'], `${base}/claims/execute`, async ({ context, open }, ctx) => {
      await admitCall(context, open, { path: 'POST /claims/execute', token: bearerIn(ctx) });
      throw new DomainError('not_found', 'There are no tickets to claim in a go-live check.');
    }),
  ];
}
