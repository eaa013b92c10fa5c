import { z } from 'zod';
import type { Ledger } from '../ledger.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import type { RpcMethod } from './method.ts';

type Id = string | number | null;

/**
 * Answers the text of a JSON-RPC request, or of a batch in its order. Undefined when there is nothing to answer: a
 * notification asks for none. Invalid requests get the codes of a cluster, some of which differ from the standard's.
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
    return JSON.stringify(PARSE_ERROR);
  }
  if (!Array.isArray(body)) {
    const answer = answerOne(body, methods, ledger, report);
    return answer && JSON.stringify(answer);
  }
  if (!body.every(isCall)) return JSON.stringify(PARSE_ERROR);
  const answers = body.flatMap((request) => answerOne(request, methods, ledger, report) ?? []);
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

const RequestId = z.union([z.string(), z.int(), z.null()]);

const Request = z.strictObject({
  jsonrpc: z.literal('2.0').nullish(),
  id: RequestId.optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()), z.null()]).optional(),
});

/** An object whose `id`, if any, can be sent back. */
function isCall(value: unknown): value is { id?: Id } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !('id' in value) || RequestId.safeParse(value.id).success;
}

function answerOne(
  body: unknown,
  methods: Record<string, RpcMethod>,
  ledger: Ledger,
  report: (error: unknown) => void,
): object | undefined {
  if (!isCall(body)) return PARSE_ERROR;
  const request = Request.safeParse(body);
  if (!request.success) return failure(body.id ?? null, new RpcError('invalidRequest', 'Invalid request'));
  const { jsonrpc, id, method, params } = request.data;
  try {
    if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', 'Unsupported JSON-RPC protocol version');
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

function failure(id: Id, error: unknown): object {
  const { code, message, data } =
    error instanceof RpcError ? error : { code: RPC_CODE.internalError, message: 'Internal error', data: undefined };
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

const PARSE_ERROR = failure(null, new RpcError('parseError', 'Parse error'));
