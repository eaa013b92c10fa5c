import { stringifyDocument } from '@urql/core';
import type { ResultOf, TadaDocumentNode, VariablesOf } from 'gql.tada';

/** A GraphQL document with the types of its result and variables, whatever the schema. */
export type Document = TadaDocumentNode<unknown, never, unknown>;

/** Why a call failed: a refusal of the service, or no answer at all. */
export class Failure extends Error {
  /** Stable: `forbidden`, `stale_edit`, … of the service, or `unreachable` without an answer. */
  readonly code: string;
  /** Under which the service logged the call. */
  readonly requestId: string | undefined;
  /** The field of a form that is to blame. */
  field?: string | undefined;

  constructor(code: string, message: string, requestId?: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.requestId = requestId;
  }
}

/** Turns anything thrown into a failure that can be shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('internal', error instanceof Error ? error.message : 'Something went wrong on this page.');
}

interface Answer {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** The result of a mutation that was not refused. */
export type Done<Result> = Exclude<Result, { __typename: 'Refusal' }>;

/** For the list of the person's sessions. */
const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The service answers every call of the console in far less. */
const TIME_LIMIT_MS = 20_000;

let applicationHeader: Record<string, string> = {};

/** Sets the header by which the endpoint recognises calls of its own pages. */
export function callWithHeader(name: string): void {
  applicationHeader = { [name]: '1' };
}

/** Runs a query: `POST graphql` below the page's `<base>`. @throws Failure */
export async function call<D extends Document>(document: D, variables: VariablesOf<D>): Promise<ResultOf<D>> {
  const { answer, requestId } = await post(JSON.stringify({ query: stringifyDocument(document), variables }));
  const [error] = answer.errors ?? [];
  if (error !== undefined) throw new Failure(error.extensions?.code ?? 'invalid_request', error.message, requestId);
  return answer.data as ResultOf<D>;
}

/** Runs a document with one mutation, which selects `REFUSAL`. @throws Failure, also for a refusal */
export async function perform<D extends Document>(
  document: D,
  variables: VariablesOf<D>,
): Promise<Done<ResultOf<D>[keyof ResultOf<D>]>> {
  const data = await call(document, variables);
  const [result] = Object.values(data as Record<string, Result>);
  if (result?.__typename === 'Refusal') throw new Failure(result.code ?? 'internal', result.message ?? 'Refused.');
  return result as Done<ResultOf<D>[keyof ResultOf<D>]>;
}

type Result = { __typename?: string; code?: string; message?: string };

async function post(body: string): Promise<{ answer: Answer; requestId: string | undefined }> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...applicationHeader,
    'X-Time-Zone': TIME_ZONE,
  };
  const url = new URL('graphql', document.baseURI);
  const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => {
    throw new Failure('unreachable', 'The service is not responding. Check your connection and try again.');
  });
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  const answer: unknown = await response.json().catch(() => undefined);
  if (typeof answer !== 'object' || answer === null) {
    throw new Failure('unreachable', `The service failed with status ${response.status}. Try again.`, requestId);
  }
  return { answer, requestId };
}
