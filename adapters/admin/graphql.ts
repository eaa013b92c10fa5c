import {
  type ASTVisitor,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { StaffCall } from '../../schema/context.ts';
import { schema } from '../../schema/schema.ts';
import { DomainError, ERRORS, type ErrorCode } from '../../src/errors.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { confirmsHere } from '../../src/staff/confirm-session.ts';
import { serverError } from '../http/dependency.ts';
import { readBody } from '../http/read-body.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestContext } from '../http/request-state.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { findStaff } from './find-staff.ts';
import { pathOf } from './read-call.ts';
import type { CountCall } from './service-limits.ts';

/** A call with the console's cookie must have this header: no form and no other site's page can send it. */
const CONSOLE_HEADER = 'X-Console';
/** A batch of 1,000 rows, in the variables of a call, with room to spare. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Tokens of a document; the console's largest has a fifth of it. */
const MAX_TOKENS = 2_500;
/** Aliased fields of a document; the console has a handful. */
const MAX_ALIASES = 30;

interface LoggedCall {
  koa: RequestContext;
}

/**
 * `POST {ADMIN_URL}/graphql`: JSON only, one operation per request, for signed-in staff, for their tokens and for service accounts.
 * @param countCall refuses a caller whose limit is reached
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function graphqlEndpoint(runtime: Runtime, countCall: CountCall): (ctx: RequestContext) => Promise<void> {
  const { adminUrl, production } = runtime.config;
  const yoga = createYoga<StaffCall & LoggedCall>({
    schema,
    graphqlEndpoint: '*',
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    maskedErrors: { maskError },
    plugins: [documentLimits(production), logOperations(runtime.log)],
  });
  return async (ctx) => {
    if (isCrossOrigin(ctx, adminUrl) || !isDeliberate(ctx))
      return refuse(ctx, 403, `Calls from a browser must come from the console and have the header ${CONSOLE_HEADER}.`);
    let body: string;
    try {
      body = await readBody(ctx, 'application/json', BODY_LIMIT_BYTES);
    } catch (error) {
      if (error instanceof RequestError) return refuse(ctx, error.status, error.message);
      throw error;
    }
    if (hasLoneSurrogates(body)) return refuse(ctx, 400, 'The body contains invalid Unicode.');
    const { requestId } = ctx.state;
    const context = createContext(runtime, requestId);
    const staff = await findStaff(context, ctx);
    if (staff === undefined) return refuse(ctx, 401, 'Sign in to the console first.', 'sign_in_required');
    try {
      await countCall(ctx, staff);
    } catch (error) {
      if (error instanceof DomainError) return refuse(ctx, ERRORS[error.code].status, error.message, error.code);
      throw error;
    }
    const call = {
      context,
      work: () => createContext(runtime, requestId, staff.tokenId),
      staff,
      confirmsHere: confirmsHere(runtime.config, pathOf(ctx)),
      koa: ctx,
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await yoga.fetch(`${adminUrl}/graphql`, { method: 'POST', headers, body }, call);
    ctx.status = answer.status;
    ctx.type = 'application/json';
    ctx.body = await answer.text();
  };
}

/** A browser sends a cookie by itself, so there the header shows that a script of ours made the call. */
function isDeliberate(ctx: RequestContext): boolean {
  return ctx.get('Authorization') !== '' || ctx.get(CONSOLE_HEADER) !== '';
}

/** JSON can write lone surrogates; the database can't store them. */
function hasLoneSurrogates(body: string): boolean {
  if (!/\\ud[89a-f]/i.test(body)) return false;
  let found = false;
  try {
    JSON.parse(body, (key, value) => {
      found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    });
  } catch {
    // yoga answers invalid JSON
  }
  return found;
}

function refuse(ctx: RequestContext, status: number, message: string, code: ErrorCode = 'invalid_request'): void {
  ctx.status = status;
  ctx.state.outcome = code;
  ctx.body = { errors: [{ message, extensions: { code } }] };
}

/** What the log has of an error that the caller sees masked. */
const masked = new WeakMap<Error, unknown>();

/** The caller sees refusals in full; of other errors only the code, and the log has the rest. */
function maskError(error: unknown): Error {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const place = error instanceof GraphQLError ? { path: error.path, nodes: error.nodes } : {};
  if (original instanceof GraphQLError) return original;
  if (original instanceof DomainError) {
    return new GraphQLError(original.message, { ...place, extensions: { code: original.code } });
  }
  const { message, code } = serverError(original);
  const shown = new GraphQLError(message, { ...place, extensions: { code } });
  masked.set(shown, original);
  return shown;
}

/**
 * Refuses a document before any of it runs: too long, the same field many times, and in production introspection. The cost
 * of a query is limited by the schema (`schema/builder.ts`).
 */
function documentLimits(production: boolean): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source: string, options?: object) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
    },
    onValidate({ validateFn, setValidationFn, addValidationRule }) {
      addValidationRule(limitAliases);
      if (!production) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((...[of, document, rules]: Parameters<typeof validateFn>) =>
        validateFn(of, document, rules, { hideSuggestions: true }),
      );
    },
  };
}

function limitAliases(context: ValidationContext): ASTVisitor {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias === undefined) return;
      aliases += 1;
      if (aliases === MAX_ALIASES + 1) {
        context.reportError(new GraphQLError(`A document can have up to ${MAX_ALIASES} aliases.`, { nodes: [node] }));
      }
    },
  };
}

function isOurs(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

/**
 * For the request log: whether a call is a mutation, and how it ended, since GraphQL answers 200 either way. For the log: the first
 * failure, and how many fields failed with it, mostly for the same reason.
 */
function logOperations(log: Runtime['log']): Plugin<LoggedCall, LoggedCall> {
  return {
    onExecute({ args: { document, operationName, contextValue } }) {
      const { koa }: LoggedCall = contextValue;
      if (getOperationAST(document, operationName)?.operation === 'mutation') koa.state.operation = 'graphql.mutation';
    },
    // errors here are what the caller sees, also those of a document that never ran
    onResultProcess({ result, serverContext }) {
      if (Array.isArray(result) || !('errors' in result)) return;
      const failures = result.errors?.filter((each) => masked.has(each)) ?? [];
      const [failure] = failures;
      if (failure) {
        const { requestId } = serverContext.koa.state;
        const facts = { err: masked.get(failure), requestId, path: failure.path, fields: failures.length };
        log.error(facts, 'GraphQL call failed');
      }
      const error = failure ?? result.errors?.[0];
      const code = error?.extensions?.code ?? 'invalid_request';
      if (!error) return;
      serverContext.koa.state.outcome = String(code).toLowerCase();
      // messages of the library quote the document and its variables
      if (isOurs(error.extensions.code)) serverContext.koa.state.message = error.message;
    },
  };
}
