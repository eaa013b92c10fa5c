import type { Examined } from '@fan-api/cosign-policy/examine-transactions';
import { fail, pass } from '@fan-api/cosign-policy/verdicts';
import { addressOf } from '@fan-api/solana-wire/base58';
import type { Chain } from './chains.ts';

/** Asks the cluster whether a blockhash is recent, unless that is known already. */
export async function judgeBlockhash({ gateway }: Pick<Chain, 'gateway'>, examined: Examined): Promise<void> {
  const { marks, candidate } = examined;
  if (candidate === undefined || marks.has('blockhash_expired')) return;
  const blockhash = addressOf(candidate.transaction.recentBlockhash);
  const first = await gateway.blockhash(blockhash);
  // a node that lags does not have a new blockhash, so a missing one is asked for again at the newest slot that is known
  const { recent } = first.recent ? first : await gateway.blockhash(blockhash, first.slot);
  if (recent) pass(marks, 'blockhash_expired');
  else fail(marks, 'blockhash_expired', blockhash);
}
