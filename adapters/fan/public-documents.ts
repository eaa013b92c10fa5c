import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import type { Context, Middleware } from 'koa';
import type { Config } from '../../src/config/config.ts';
import { publicCors } from '../http/cors.ts';
import { basePath } from '../http/surface.ts';
import { describeFanApi } from './openapi.ts';

const MAX_AGE_SECONDS = 300;

/** For code generators of partners: the Anchor IDL of the ticket program, and the OpenAPI description of the Fan API. */
export function publicDocuments(config: Pick<Config, 'apiUrl' | 'authUrl' | 'chains'>): Middleware {
  const { programId } = config.chains.sandbox;
  const documents = new Map<string, object>([
    ['/idl.json', { ...idl, address: programId }],
    [`${basePath(config.apiUrl)}/openapi.json`, describeFanApi(config)],
  ]);
  const cors = publicCors();
  return (ctx, next) => {
    const document = documents.get(ctx.path);
    return document === undefined ? next() : cors(ctx, async () => answer(ctx, document));
  };
}

function answer(ctx: Context, document: object): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    ctx.body = document;
  } else {
    ctx.status = 405;
    ctx.set('Allow', 'GET, HEAD');
    ctx.body = { message: `${ctx.method} is not allowed here.` };
  }
}
