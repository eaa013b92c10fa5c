import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ask, at, CONFIRMED } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

/** Whether a blockhash is valid, and the slot of the answer. */
export interface BlockhashValidity {
  recent: boolean;
  slot: number;
}

/** A blockhash is valid for about a minute. */
const CACHED_MS = 2_000;
const SHARED_PATIENCE_MS = 20;

const IsValid = at(z.boolean());

/**
 * Reads whether blockhashes are valid. That one is valid is known for two seconds, and those who ask about it at once ask once.
 * @returns a function that throws DomainError `unavailable` where the cluster is unreachable
 */
export function createBlockhashReader(
  rpc: JsonRpc,
): (blockhash: string, notBefore?: number) => Promise<BlockhashValidity> {
  const seenAt = new LRUCache<string, number>({ max: 10_000, ttl: CACHED_MS });
  const underWay = new Map<string, Promise<BlockhashValidity>>();

  async function askNode(blockhash: string, notBefore?: number): Promise<BlockhashValidity> {
    const options = { ...CONFIRMED, ...(notBefore !== undefined && { minContextSlot: notBefore }) };
    const { value, context } = await ask(rpc, IsValid, 'isBlockhashValid', [blockhash, options]);
    if (value) seenAt.set(blockhash, context.slot);
    return { recent: value, slot: context.slot };
  }

  /** Undefined where there is none, or not soon: a call that hangs holds up nobody else. */
  async function answerOnItsWay(blockhash: string): Promise<BlockhashValidity | undefined> {
    const asked = underWay.get(blockhash)?.catch(() => undefined);
    return asked && Promise.race([asked, sleep(SHARED_PATIENCE_MS, undefined)]);
  }

  return async (blockhash, notBefore) => {
    const slot = seenAt.get(blockhash);
    if (slot !== undefined) return { recent: true, slot };
    const known = await answerOnItsWay(blockhash);
    // it may be too old to say no
    if (known?.recent) return known;
    const asked = askNode(blockhash, notBefore);
    underWay.set(blockhash, asked);
    try {
      return await asked;
    } finally {
      if (underWay.get(blockhash) === asked) underWay.delete(blockhash);
    }
  };
}
