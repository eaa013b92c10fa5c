import { z } from 'zod';
import { commitmentOf, type Ledger, slotOf } from '../ledger.ts';
import type { HistoryEntry } from '../store.ts';
import { Address, blockSlotFor, contextFields, method, type RpcMethod, Signature, withContext } from './method.ts';
import { landedTransactionJson, statusJson, TransactionEncoding } from './transaction-json.ts';

/** How many slots after its finalization a status is found without `searchTransactionHistory`. */
const STATUS_CACHE_SLOTS = 300;

const MAX_SIGNATURES = 1_000;

export const historyMethods: Record<string, RpcMethod> = {
  getSignatureStatuses: method(
    z.tuple([
      z.array(Signature).max(256, 'Too many inputs provided; max 256'),
      z.object({ searchTransactionHistory: z.boolean().nullish() }).nullish().optional(),
    ]),
    (ledger, [signatures, config]) =>
      withContext(ledger, { commitment: 'processed' }, (slot) => {
        const oldest = config?.searchTransactionHistory ? 0 : slotOf(ledger, 'finalized') - STATUS_CACHE_SLOTS;
        return signatures.map((signature) => {
          const entry = ledger.store.find(signature);
          return entry && entry.slot >= oldest ? statusOf(ledger, entry, slot) : null;
        });
      }),
  ),

  getSignaturesForAddress: method(
    z.tuple([
      Address,
      z
        .object({
          ...contextFields,
          limit: z
            .int()
            .min(1, `Invalid limit; max ${MAX_SIGNATURES}`)
            .max(MAX_SIGNATURES, `Invalid limit; max ${MAX_SIGNATURES}`)
            .nullish(),
          before: Signature.nullish(),
          until: Signature.nullish(),
        })
        .nullish()
        .optional(),
    ]),
    (ledger, [address, config]) => {
      const newest = blockSlotFor(ledger, config);
      const page = { before: config?.before, until: config?.until, limit: config?.limit ?? MAX_SIGNATURES };
      return ledger.store.newestFirst(address, newest, page).map(({ signature, slot, err, blockTime }) => ({
        signature,
        slot,
        err,
        memo: null,
        blockTime,
        confirmationStatus: commitmentOf(ledger, slot),
      }));
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
            maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
          }),
        ])
        .nullish()
        .optional(),
    ]),
    (ledger, [signature, options]) => {
      const config = typeof options === 'string' ? undefined : options;
      const encoding = typeof options === 'string' ? options : options?.encoding;
      const newest = blockSlotFor(ledger, config);
      const entry = ledger.store.find(signature);
      if (!entry || entry.slot > newest) return null;
      const landed = ledger.store.read(entry.id);
      return landedTransactionJson(landed, encoding ?? 'json', config?.maxSupportedTransactionVersion);
    },
  ),
};

function statusOf(ledger: Ledger, { slot, err }: HistoryEntry, newest: number): unknown {
  const confirmationStatus = commitmentOf(ledger, slot);
  const confirmations = confirmationStatus === 'finalized' ? null : newest - slot;
  return { slot, confirmations, err, status: statusJson(err), confirmationStatus };
}
