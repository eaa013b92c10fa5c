import type { Ledger } from '../ledger.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import type { RpcMethod } from './method.ts';

type Id = string | number | null;

/**
 * Answers the text of a JSON-RPC request, or of a batch in its order. Undefined when there is nothing to answer: a
 * notification asks for none.
 * @see https://www.jsonrpc.org/specification
 */
export function answerText(
  text: string,
  methods: Record<string, RpcMethod>,
  ledger: Ledger,
  report: (error: unknown) => void,
): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return JSON.stringify(failure(null, new RpcError('parseError', 'Parse error')));
  }
  if (!Array.isArray(body)) {
    const answer = answerOne(body, methods, ledger, report);
    return answer && JSON.stringify(answer);
  }
  if (body.length === 0) return JSON.stringify(failure(null, new RpcError('invalidRequest', 'Invalid request')));
  const answers = body.flatMap((request) => answerOne(request, methods, ledger, report) ?? []);
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

function answerOne(
  request: unknown,
  methods: Record<string, RpcMethod>,
  ledger: Ledger,
  report: (error: unknown) => void,
): object | undefined {
  if (!isRequest(request)) return failure(null, new RpcError('invalidRequest', 'Invalid request'));
  const { id, method, params } = request;
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    // A notification of an unknown method is how web3.js keeps its socket alive ("ping").
    if (!run && id === undefined) return undefined;
    if (!run) throw new RpcError('methodNotFound', 'Method not found');
    const result = run(ledger, params);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcError)) report(error);
    return id === undefined ? undefined : failure(id, error);
  }
}

function isRequest(value: unknown): value is { id?: Id; method: string; params?: unknown } {
  if (typeof value !== 'object' || value === null || !('method' in value)) return false;
  const id = 'id' in value ? value.id : undefined;
  const idFits = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  return typeof value.method === 'string' && idFits;
}

function failure(id: Id, error: unknown): object {
  const { code, message, data } =
    error instanceof RpcError ? error : { code: RPC_CODE.internalError, message: 'Internal error', data: undefined };
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}
