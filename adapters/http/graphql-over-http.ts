import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { DomainError, ERRORS, type ErrorCode } from '../../src/platform/errors.ts';
import type { Operation } from '../../src/record/activity/operation-texts.ts';
import type { Runtime } from '../../src/runtime.ts';
import { serverError } from './dependency.ts';
import { readBody } from './read-body.ts';
import { RequestError } from './request-error.ts';
import type { RequestContext } from './request-state.ts';
import { isCrossOrigin } from './same-origin.ts';

/** A GraphQL endpoint of one of our surfaces. */
export interface GraphqlEndpoint<Call extends object> {
  schema: GraphQLSchema;
  /** Address of the surface: browsers of other origins can't call. */
  url: string;
  /** A call with the surface's cookie must have this header: no form and no other site's page can send it. */
  header: string;
  /** The message to a browser whose call comes from elsewhere or lacks the header. */
  refusal: string;
  /** Largest body. */
  bodyLimit: number;
  limits: { tokens: number; aliases: number };
  /** What the request log calls a mutation. */
  mutation: Operation;
  /** Who calls, as the context of resolvers. @throws DomainError where nobody is signed in, or a limit is reached */
  enter(ctx: RequestContext): Promise<Call>;
}

interface LoggedCall {
  koa: RequestContext;
}

/**
 * `POST {url}/graphql`: JSON only, one operation per request.
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function graphqlOverHttp<Call extends object>(
  runtime: Runtime,
  endpoint: GraphqlEndpoint<Call>,
): (ctx: RequestContext) => Promise<void> {
  const { schema, url, header, refusal, bodyLimit, enter } = endpoint;
  const yoga = createYoga<Call & LoggedCall>({
    schema,
    graphqlEndpoint: '*',
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    maskedErrors: { maskError },
    plugins: [documentLimits(endpoint, runtime.config.production), logOperations(runtime.log, endpoint.mutation)],
  });
  return async (ctx) => {
    if (isCrossOrigin(ctx, url) || !isDeliberate(ctx, header)) return refuse(ctx, 403, refusal);
    let body: string;
    try {
      body = await readBody(ctx, 'application/json', bodyLimit);
    } catch (error) {
      if (error instanceof RequestError) return refuse(ctx, error.status, error.message);
      throw error;
    }
    if (hasLoneSurrogates(body)) return refuse(ctx, 400, 'The body contains invalid Unicode.');
    let call: Call;
    try {
      call = await enter(ctx);
    } catch (error) {
      if (error instanceof DomainError) return refuse(ctx, ERRORS[error.code].status, error.message, error.code);
      throw error;
    }
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await yoga.fetch(`${url}/graphql`, { method: 'POST', headers, body }, { ...call, koa: ctx });
    ctx.status = answer.status;
    ctx.type = 'application/json';
    ctx.body = await answer.text();
  };
}

/** A browser sends a cookie automatically, so with a cookie the header shows that a script of ours made the call. */
function isDeliberate(ctx: RequestContext, header: string): boolean {
  return ctx.get('Authorization') !== '' || ctx.get(header) !== '';
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

/** The original of each masked error, for the log. */
const masked = new WeakMap<Error, unknown>();

/** The caller sees refusals in full, and only the code of other errors; the log has the rest. */
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
function documentLimits({ limits }: Pick<GraphqlEndpoint<never>, 'limits'>, production: boolean): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source: string, options?: object) => parseFn(source, { ...options, maxTokens: limits.tokens }));
    },
    onValidate({ validateFn, setValidationFn, addValidationRule }) {
      addValidationRule((context: ValidationContext) => limitAliases(context, limits.aliases));
      if (!production) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((...[of, document, rules]: Parameters<typeof validateFn>) =>
        validateFn(of, document, rules, { hideSuggestions: true }),
      );
    },
  };
}

function limitAliases(context: ValidationContext, most: number): ASTVisitor {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias === undefined) return;
      aliases += 1;
      if (aliases === most + 1) {
        context.reportError(new GraphQLError(`A document can have up to ${most} aliases.`, { nodes: [node] }));
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
function logOperations(log: Runtime['log'], mutation: Operation): Plugin<LoggedCall, LoggedCall> {
  return {
    onExecute({ args: { document, operationName, contextValue } }) {
      const { koa }: LoggedCall = contextValue;
      if (getOperationAST(document, operationName)?.operation === 'mutation') koa.state.operation = mutation;
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
