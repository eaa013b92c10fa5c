import { z } from 'zod';
import { usableNonce } from '../admission.ts';
import { slotOf } from '../ledger.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { readMessage } from '../wire-transaction.ts';
import { Address, ContextConfig, method, type RpcMethod, withContext } from './method.ts';
import { decodeBase64 } from './transaction-bytes.ts';

/** What transactions cost. */
export const feeMethods: Record<string, RpcMethod> = {
  getFeeForMessage: method(z.tuple([z.string(), ContextConfig.optional()]), (ledger, [text, config]) => {
    const message = readMessage(decodeBase64(text));
    return withContext(ledger, config, (slot) => {
      const isUsable =
        ledger.clock.validSlotOf(message.blockhash, slot) !== undefined ||
        usableNonce(ledger, message, slot) !== undefined;
      return isUsable ? u64(transactionFee(message)) : null;
    });
  }),

  getRecentPrioritizationFees: method(
    z.tuple([z.array(Address).max(128, 'Too many inputs provided; max 128').nullish().optional()]),
    (ledger, [accounts]) => ledger.priorityFees.recent(accounts ?? [], slotOf(ledger, 'processed')),
  ),
};
