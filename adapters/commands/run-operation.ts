import { GraphQLError, graphql } from 'graphql';
import { schema } from '../../schema/schema.ts';
import { findLocalAdmin } from '../../src/people/staff/make-link.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { UsageError } from './flags.ts';
import { withRuntime } from './with-runtime.ts';

export interface Outcome {
  data: Record<string, unknown> | null | undefined;
  errors: { code: string; message: string }[];
}

const TIME_LIMIT_MS = 60_000;

/** Runs an operation over HTTP with the token in `ADMIN_TOKEN`, or without one in this process, as the local admin. */
export async function runOperation(
  env: NodeJS.ProcessEnv,
  document: string,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  return env.ADMIN_TOKEN ? overHttp(env, env.ADMIN_TOKEN, document, variables) : inProcess(env, document, variables);
}

async function overHttp(
  env: NodeJS.ProcessEnv,
  token: string,
  document: string,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  // the rest of this machine's configuration does not matter for a call to another one
  const { adminUrl } = readConfig({ ADMIN_URL: env.ADMIN_URL, PORT: env.PORT });
  const answer = await fetch(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: document, variables }),
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  }).catch((cause: unknown) => {
    throw new UsageError(`${adminUrl} is not responding: ${reasonOf(cause)}`);
  });
  const body = (await answer.json().catch(() => undefined)) as HttpAnswer | undefined;
  if (body === undefined) throw new UsageError(`${adminUrl}/graphql answered ${answer.status}, without JSON`);
  const errors = (body.errors ?? []).map(({ message, extensions }) => ({
    code: extensions?.code ?? 'invalid_request',
    message,
  }));
  return { data: body.data, errors };
}

interface HttpAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Runs as the local admin: anyone who can start the service on this data has the admin's rights anyway. */
async function inProcess(
  env: NodeJS.ProcessEnv,
  document: string,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  const config = readConfig(env);
  if (config.staffProvider) {
    throw new UsageError('ADMIN_TOKEN: required where staff sign in through a provider (create one in the console)');
  }
  return withRuntime(async (work) => {
    const context = work();
    const { id, name, email, role } = await findLocalAdmin(context);
    const viewer = { id, name, email: email ?? null, role, authenticatedAt: context.now(), scopes: null };
    const contextValue = { context, work, viewer };
    const result = await graphql({ schema, source: document, variableValues: variables, contextValue });
    return { data: result.data, errors: (result.errors ?? []).map(describeError) };
  }, config);
}

function describeError(error: GraphQLError): Outcome['errors'][number] {
  const { originalError } = error;
  if (originalError instanceof DomainError) return { code: originalError.code, message: error.message };
  const own = originalError === undefined || originalError instanceof GraphQLError;
  return { code: own ? 'invalid_request' : 'internal', message: error.message };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
