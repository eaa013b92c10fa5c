import { z } from 'zod';
import type { HistoryEntry } from '../store/history.ts';
import { Address, contextFields, method, type RpcMethod, slotFor, withContext } from './method.ts';
import { landedTransactionJson, statusJson } from './transaction-json.ts';

const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'not a base58 signature');

const TransactionEncoding = z.enum(['json', 'jsonParsed', 'base58', 'base64']);

/** What landed is final at once, because one node needs nobody's vote. */
export const historyMethods: Record<string, RpcMethod> = {
  getSignatureStatuses: method(
    z.tuple([
      z.array(Signature).max(256),
      z.object({ searchTransactionHistory: z.boolean().nullish() }).nullish().optional(),
    ]),
    (ledger, [signatures]) =>
      withContext(ledger, undefined, () =>
        signatures.map((signature) => {
          const entry = ledger.history.find(signature);
          if (!entry) return null;
          const { slot, err } = entry;
          return { slot, confirmations: null, err, status: statusJson(err), confirmationStatus: 'finalized' };
        }),
      ),
  ),

  getSignaturesForAddress: method(
    z.tuple([
      Address,
      z
        .object({
          ...contextFields,
          limit: z.int().min(1).max(1000).nullish(),
          before: Signature.nullish(),
          until: Signature.nullish(),
        })
        .nullish()
        .optional(),
    ]),
    (ledger, [address, config]) => {
      slotFor(ledger, config);
      return newestFirst(ledger.history.ofAccount(address), config ?? {}).map(
        ({ signature, slot, err, blockTime }) => ({
          signature,
          slot,
          err,
          memo: null,
          blockTime,
          confirmationStatus: 'finalized',
        }),
      );
    },
  ),

  getTransaction: method(
    z.tuple([
      Signature,
      z
        .union([
          TransactionEncoding,
          z.object({
            ...contextFields,
            encoding: TransactionEncoding.nullish(),
            maxSupportedTransactionVersion: z.int().nonnegative().nullish(),
          }),
        ])
        .nullish()
        .optional(),
    ]),
    (ledger, [signature, options]) => {
      const config = typeof options === 'string' ? { encoding: options } : options;
      const entry = ledger.history.find(signature);
      if (!entry) return null;
      const maxVersion =
        config && 'maxSupportedTransactionVersion' in config ? config.maxSupportedTransactionVersion : null;
      return landedTransactionJson(ledger.journal.read(entry.place), config?.encoding ?? 'json', maxVersion);
    },
  ),
};

/** From the one after `before` (or the newest) down to the one before `until` (or the oldest). */
function newestFirst(
  entries: readonly HistoryEntry[],
  { before, until, limit }: { before?: string | null; until?: string | null; limit?: number | null },
): HistoryEntry[] {
  const end = before ? entries.findIndex(({ signature }) => signature === before) : entries.length;
  const found: HistoryEntry[] = [];
  for (let index = end - 1; index >= 0 && found.length < (limit ?? 1000); index--) {
    const entry = entries[index];
    if (!entry || entry.signature === until) break;
    found.push(entry);
  }
  return found;
}
