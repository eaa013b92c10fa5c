import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context as Koa } from 'koa';
import { learn } from '../http/record-requests.ts';

/** What the request log's plugin needs of a call. */
export interface LoggedCall {
  koa: Koa;
}

/** Tells the request log whether a call reads or changes, and how it ended: a GraphQL answer is 200 either way. */
export function logOperations(): Plugin<LoggedCall, LoggedCall> {
  return {
    onExecute({ args: { document, operationName, contextValue } }) {
      const { koa }: LoggedCall = contextValue;
      const mutation = getOperationAST(document, operationName)?.operation === 'mutation';
      learn(koa, { operation: mutation ? 'graphql.mutation' : 'graphql.query' });
    },
    // here errors are what the caller is told, also those of a document that never ran
    onResultProcess({ result, serverContext }) {
      if (Array.isArray(result) || !('errors' in result)) return;
      const [error] = result.errors ?? [];
      if (error)
        learn(serverContext.koa, { outcome: String(error.extensions?.code ?? 'invalid_request').toLowerCase() });
    },
  };
}
