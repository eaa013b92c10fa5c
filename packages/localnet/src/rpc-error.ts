/** The JSON-RPC error codes in use, those of the standard and those of a Solana cluster. */
export const RPC_CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  preflightFailure: -32002,
  signatureVerificationFailure: -32003,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/**
 * An error as a JSON-RPC client sees it: `{ code, message, data }`.
 * @see https://www.jsonrpc.org/specification#error_object
 */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: keyof typeof RPC_CODE, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = RPC_CODE[code];
    this.data = data;
  }
}
