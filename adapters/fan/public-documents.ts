import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import type { Config } from '../../src/config/config.ts';
import { publicCors } from '../http/cors.ts';
import { basePath } from '../http/surface.ts';
import { describeFanApi } from './openapi.ts';

const MAX_AGE_SECONDS = 300;

/** What a partner generates code from: the Anchor IDL of the ticket program, and the OpenAPI description of the Fan API. */
export function publicDocuments(config: Pick<Config, 'apiUrl' | 'authUrl' | 'chains'>): Middleware {
  const { programId } = config.chains.sandbox;
  const documents = new Map<string, object>([
    ['/idl.json', { ...idl, address: programId }],
    [`${basePath(config.apiUrl)}/openapi.json`, describeFanApi(config)],
  ]);
  const cors = publicCors();
  return async (ctx, next) => {
    const document = documents.get(ctx.path);
    if (document === undefined) return next();
    return compose([cors, answer(document)])(ctx, next);
  };
}

function answer(document: object): Middleware {
  return (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405;
      ctx.set('Allow', 'GET, HEAD');
      ctx.body = { message: `${ctx.method} is not allowed here.` };
      return;
    }
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    ctx.body = document;
  };
}
