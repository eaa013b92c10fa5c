import { LRUCache } from 'lru-cache';
import type { Chain } from '../../chain/chains.ts';
import type { IssuingConfig } from '../../platform/config/config.ts';

/** Prices change from slot to slot; a price of a few seconds ago is good enough. */
const known = new LRUCache<string, number>({ max: 16, ttl: 5_000 });

/**
 * The price in micro-lamports per compute unit that our transactions pay: what three of four slots lately took for writing to the
 * payer's account, which every transaction of ours writes to, up to the configured cap.
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function priorityPrice(
  { priorityCap }: Pick<IssuingConfig, 'priorityCap'>,
  { gateway, payer }: Pick<Chain, 'gateway' | 'payer'>,
): Promise<number> {
  const remembered = known.get(payer);
  if (remembered !== undefined) return remembered;
  const prices = (await gateway.priorityFees([payer])).sort((a, b) => a - b);
  const usual = prices[Math.floor(prices.length * 0.75)] ?? 0;
  const price = Math.min(priorityCap, usual);
  known.set(payer, price);
  return price;
}
