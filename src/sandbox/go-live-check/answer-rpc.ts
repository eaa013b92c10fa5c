import { randomBytes } from 'node:crypto';
import { parseTransaction } from '@fan-api/cosign-policy/parse-transaction';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import bs58 from 'bs58';
import { z } from 'zod';
import { DomainError } from '../../platform/errors.ts';
import { digestOf, parsed } from './answer-api.ts';
import { attemptOf, type CheckContext, type OpenRun, recordEvent } from './open-run.ts';

/** JSON-RPC 2.0, as Solana's nodes have it. */
const Call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number(), z.null()]).optional(),
  method: z.string().max(100),
  params: z.array(z.unknown()).max(5).default([]),
});

/** 1,232 bytes have 1,683 characters of base58, whose decoding takes the square of its length. */
const LONGEST_TRANSACTION = 1_700;

const SendParams = z.tuple([
  z.string().max(LONGEST_TRANSACTION),
  z.object({ encoding: z.enum(['base58', 'base64']).default('base58') }).optional(),
]);

/** A slot of a cluster that does not exist. */
const SLOT = 1;
const context = { slot: SLOT };

/**
 * The RPC address of a run: it accepts each transaction and sends it nowhere, so that a changed listing that is sent on is seen.
 * @see https://solana.com/docs/rpc/http/sendtransaction
 */
export async function answerRpc(work: CheckContext, open: OpenRun, body: unknown): Promise<Record<string, unknown>> {
  const call = Call.safeParse(body);
  if (!call.success)
    return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Not a JSON-RPC 2.0 request' } };
  const { id = null, method, params } = call.data;
  switch (method) {
    case 'sendTransaction': {
      const result = await acceptTransaction(work, open, params);
      return { jsonrpc: '2.0', id, ...result };
    }
    case 'getLatestBlockhash':
      return {
        jsonrpc: '2.0',
        id,
        result: { context, value: { blockhash: encodeBase58(randomBytes(32)), lastValidBlockHeight: 1_000 } },
      };
    case 'getSignatureStatuses': {
      const signatures = z.array(z.string()).max(256).catch([]).parse(params[0]);
      const landed = { slot: SLOT, confirmations: null, err: null, confirmationStatus: 'finalized' };
      return { jsonrpc: '2.0', id, result: { context, value: signatures.map(() => landed) } };
    }
    default:
      return {
        jsonrpc: '2.0',
        id,
        error: {
          code: -32601,
          message: 'A go-live check answers sendTransaction, getLatestBlockhash and getSignatureStatuses only',
        },
      };
  }
}

async function acceptTransaction(work: CheckContext, open: OpenRun, params: readonly unknown[]): Promise<object> {
  const given = SendParams.safeParse(params);
  if (!given.success)
    return { error: { code: -32602, message: 'The transaction must be a string in base58 or base64' } };
  const [text, options] = given.data;
  const bytes = options?.encoding === 'base64' ? Buffer.from(text, 'base64') : bs58.decodeUnsafe(text);
  try {
    const { message, signatures } = parsed('transaction', () => parseTransaction(bytes ?? new Uint8Array()));
    const attempt = await attemptOf(work, open);
    if (attempt) await recordEvent(work, attempt, { kind: 'sent', facts: { message: digestOf(message) } });
    return { result: encodeBase58(signatures[0] ?? new Uint8Array(64)) };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'invalid_request')) throw error;
    return { error: { code: -32602, message: error.message } };
  }
}
