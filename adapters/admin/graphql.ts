import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Context as Koa } from 'koa';
import type { StaffCall } from '../../schema/context.ts';
import { schema } from '../../schema/schema.ts';
import { DomainError } from '../../src/errors.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { isDependencyDown } from '../http/dependency.ts';
import { readBody } from '../http/read-body.ts';
import { learn } from '../http/record-requests.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestState } from '../http/request-id.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { documentLimits } from './graphql-limits.ts';
import { type LoggedCall, logOperations } from './log-operations.ts';
import { staffOf } from './staff-of.ts';

/** The header that a call with the console's cookie must carry: no form and no other site's page can send it. */
const CONSOLE_HEADER = 'X-Console';

/**
 * `POST {ADMIN_URL}/graphql`: JSON only, one operation per request, for signed-in staff and for their tokens.
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function graphqlEndpoint(runtime: Runtime): (ctx: Koa) => Promise<void> {
  const { adminUrl, production } = runtime.config;
  const yoga = createYoga<StaffCall & LoggedCall>({
    schema,
    graphqlEndpoint: '*',
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    maskedErrors: { maskError: (error) => toldError(runtime, error) },
    plugins: [documentLimits(production), logOperations()],
  });
  return async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    learn(ctx, { operation: 'graphql.query' });
    const fault = isCrossOrigin(ctx, adminUrl) || !isDeliberate(ctx);
    if (fault)
      return refuse(ctx, 403, `Calls from a browser come from the console and carry the header ${CONSOLE_HEADER}.`);
    let body: string;
    try {
      body = await readBody(ctx, 'application/json');
    } catch (error) {
      if (error instanceof RequestError) return refuse(ctx, error.status, error.message);
      throw error;
    }
    if (hasHalfCharacters(body)) return refuse(ctx, 400, 'The body has text that is not valid Unicode.');
    const { requestId } = ctx.state as RequestState;
    const context = createContext(runtime, requestId);
    const staff = await staffOf(context, ctx);
    if (staff === undefined) return refuse(ctx, 401, 'Sign in to the console first.', 'sign_in_required');
    const call = { context, work: () => createContext(runtime, requestId, staff.tokenId), staff, koa: ctx };
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await yoga.fetch(`${adminUrl}/graphql`, { method: 'POST', headers, body }, call);
    ctx.status = answer.status;
    ctx.type = 'application/json';
    ctx.body = await answer.text();
  };
}

/** A token is never sent by a browser on its own; a cookie is, so there the header tells that a script of ours called. */
function isDeliberate(ctx: Koa): boolean {
  return ctx.get('Authorization') !== '' || ctx.get(CONSOLE_HEADER) !== '';
}

/** Halves of surrogate pairs, which JSON can write and the database can't hold. */
function hasHalfCharacters(body: string): boolean {
  if (!/\\ud[89a-f]/i.test(body)) return false;
  let found = false;
  try {
    JSON.parse(body, (key, value) => {
      found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    });
  } catch {
    // no JSON: what reads it for good says so
  }
  return found;
}

function refuse(ctx: Koa, status: number, message: string, code = 'invalid_request'): void {
  ctx.status = status;
  learn(ctx, { outcome: code });
  ctx.body = { errors: [{ message, extensions: { code } }] };
}

/** What the caller learns of an error: refusals in full, faults of ours as the request id under which they are logged. */
function toldError(runtime: Runtime, error: unknown): Error {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const place = error instanceof GraphQLError ? { path: error.path, nodes: error.nodes } : {};
  if (original instanceof DomainError) {
    return new GraphQLError(original.message, { ...place, extensions: { code: original.code } });
  }
  if (original instanceof GraphQLError) return original;
  const down = isDependencyDown(original);
  runtime.log.error({ err: original, path: place.path }, 'GraphQL call failed');
  return new GraphQLError(
    down ? 'The service is unavailable for the moment; try again.' : 'Something went wrong on our side.',
    { ...place, extensions: { code: down ? 'unavailable' : 'internal' } },
  );
}
