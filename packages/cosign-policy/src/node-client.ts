import { reasonOf } from './failure-reason.ts';

/** How long a node may take for an answer. */
const TIME_LIMIT_MS = 10_000;

/** The node or the service did not answer as it should. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
}

/** An account as a node gives it. */
export interface NodeAccount {
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** What the linter asks a Solana node. Every method throws NodeError. */
export interface NodeClient {
  /** In the order of the addresses; undefined where there is none. */
  accounts(addresses: readonly string[]): Promise<(NodeAccount | undefined)[]>;
  isBlockhashValid(blockhash: string): Promise<boolean>;
  /** Why the cluster would refuse a signed transaction; undefined where it would run it. Nothing is sent on. */
  simulate(transaction: Uint8Array): Promise<string | undefined>;
  /** The status of a transaction; undefined where the node does not know it. */
  status(signature: string): Promise<{ readonly failed: string | undefined } | undefined>;
}

const CONFIRMED = { commitment: 'confirmed' };

/** A client of the JSON-RPC endpoint at a URL. */
export function createNodeClient(url: string): NodeClient {
  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = asRecord(
      await fetchJson(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );
    if (answer?.error !== undefined) throw new NodeError(`${method}: ${asRecord(answer.error)?.message ?? 'an error'}`);
    const result = asRecord(answer?.result);
    if (result === undefined || !('value' in result)) throw new NodeError(`${method}: an answer of an unknown form`);
    return result.value;
  }

  return {
    async accounts(addresses) {
      if (addresses.length === 0) return [];
      const values = await ask('getMultipleAccounts', [addresses, { ...CONFIRMED, encoding: 'base64' }]);
      if (!Array.isArray(values) || values.length !== addresses.length) throw new NodeError('accounts are missing');
      return values.map(toAccount);
    },
    async isBlockhashValid(blockhash) {
      return (await ask('isBlockhashValid', [blockhash, CONFIRMED])) === true;
    },
    async simulate(transaction) {
      const text = Buffer.from(transaction).toString('base64');
      const options = { ...CONFIRMED, encoding: 'base64', sigVerify: true };
      const value = asRecord(await ask('simulateTransaction', [text, options]));
      if (value === undefined) throw new NodeError('simulateTransaction: an answer of an unknown form');
      const { err } = value;
      if (err === null || err === undefined || err === 'AlreadyProcessed' || err === 'BlockhashNotFound')
        return undefined;
      return reasonOf(err);
    },
    async status(signature) {
      const values = await ask('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
      const status = Array.isArray(values) ? asRecord(values[0]) : undefined;
      if (status === undefined) return undefined;
      const { err } = status;
      return { failed: err === null || err === undefined ? undefined : reasonOf(err) };
    },
  };
}

/** The JSON at a URL. @throws NodeError */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (!answer.ok) throw new NodeError(`${url} answered ${answer.status}`);
    return await answer.json();
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeError(`${url} did not answer with JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function toAccount(value: unknown): NodeAccount | undefined {
  if (value === null) return undefined;
  const { owner, executable, data } = asRecord(value) ?? {};
  const text = Array.isArray(data) ? data[0] : undefined;
  if (typeof owner !== 'string' || typeof text !== 'string') throw new NodeError('an account of an unknown form');
  return { owner, executable: executable === true, data: Buffer.from(text, 'base64') };
}
