/** For tests: what a cluster does when a fork loses, and when time passes. */
import { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { bytesOf } from './key.ts';
import { type Ledger, slotOf } from './ledger.ts';
import { method, type RpcMethod, Unsigned } from './rpc/method.ts';

const NOTHING = new Account(0n, new Uint8Array(), new Uint8Array(32), false, 0n);

/**
 * Forgets every transaction after a slot, and what it changed: those slots are then empty, and their transactions may land again. Not
 * before the newest finalized slot. The journal keeps them, so a network that starts again has them back.
 */
function dropAfter(ledger: Ledger, slot: number): number {
  const { vm, versions, history, landedMessages } = ledger;
  const from = Math.max(slot, slotOf(ledger, 'finalized'));
  for (const key of versions.keys()) {
    const earlier = versions.at(key, from);
    if (earlier !== undefined) vm.setAccount(bytesOf(key), earlier ?? NOTHING);
  }
  versions.forgetAfter(from);
  for (const [message, at] of landedMessages) if (at > from) landedMessages.delete(message);
  ledger.transactionCount -= history.forgetAfter(from);
  return from;
}

/** @param onSlot told after slots have passed */
export function forkMethods(onSlot: () => void): Record<string, RpcMethod> {
  return {
    /** Of this network only. Answers the slot after which all was dropped. */
    dropAfter: method(z.tuple([Unsigned]), (ledger, [slot]) => dropAfter(ledger, slot)),
    /** Of this network only. Answers the slot after so many have passed. */
    passSlots: method(z.tuple([Unsigned]), ({ clock }, [slots]) => {
      clock.skip(slots);
      onSlot();
      return clock.slot();
    }),
  };
}
