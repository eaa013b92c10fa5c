/**
 * WebSocket subscriptions. A subscription belongs to a topic (kind, commitment and subject), so that a transaction is
 * matched only against those it concerns. Each commitment has its own position in the history, up to which its
 * subscribers have been notified, so a late timer loses nothing.
 */
import type { Commitment } from './commitment.ts';
import { type Key, keyAt } from './key.ts';
import { type Ledger, slotOf } from './ledger.ts';
import type { RpcMethod } from './rpc/method.ts';
import type { HistoryEntry } from './store/history.ts';
import { subscriptionMethods, topicOf } from './subscription-methods.ts';
import { createTopics, type Topics } from './subscription-topics.ts';
import { readTransaction } from './wire-transaction.ts';

export interface Subscriptions {
  methodsFor(connection: number): Record<string, RpcMethod>;
  /** Notifies the subscribers of a received transaction. */
  onReceived(signature: string): void;
  /** Sends what has reached each commitment since the last call. */
  update(): void;
  close(connection: number): void;
}

const COMMITMENTS: Commitment[] = ['processed', 'confirmed', 'finalized'];

/** The most slots reported after a pause, such as the sleep of the machine. */
const MAX_SLOTS_TOLD = 32;

/** Up to where a commitment has been reported: all slots before `slot`, and `count` transactions of it. */
interface Place {
  slot: number;
  count: number;
}

/** `emit` sends a text to a connection; the caller delivers it after the answer being made. */
export function createSubscriptions(ledger: Ledger, emit: (connection: number, text: string) => void): Subscriptions {
  const topics = createTopics(emit);
  const places = new Map<Commitment, Place>();
  let lastSlot = slotOf(ledger, 'processed');

  function update(): void {
    for (const commitment of COMMITMENTS) {
      const slot = slotOf(ledger, commitment);
      const from = places.get(commitment);
      if (from && topics.has(commitment)) tellLanded(ledger, topics, commitment, from, slot);
      places.set(commitment, { slot, count: ledger.history.ofSlot(slot).length });
    }
    const slot = slotOf(ledger, 'processed');
    const root = slotOf(ledger, 'finalized');
    for (const next of following(lastSlot, slot))
      topics.notify(topicOf('slot'), { slot: next, parent: next - 1, root });
    lastSlot = slot;
  }

  update();
  return {
    methodsFor: (connection) => subscriptionMethods(ledger, topics, connection),
    onReceived(signature) {
      const context = { slot: slotOf(ledger, 'processed') };
      topics.notify(topicOf('received', undefined, signature), { context, value: 'receivedSignature' });
    },
    update,
    close: topics.close,
  };
}

function following(last: number, newest: number): number[] {
  const first = Math.max(last + 1, newest - MAX_SLOTS_TOLD + 1);
  return Array.from({ length: Math.max(0, newest - first + 1) }, (_, index) => first + index);
}

function tellLanded(ledger: Ledger, topics: Topics, commitment: Commitment, from: Place, newest: number): void {
  for (let slot = from.slot; slot <= newest; slot++) {
    const entries = ledger.history.ofSlot(slot).slice(slot === from.slot ? from.count : 0);
    const changed = new Set<Key>();
    for (const entry of entries) {
      for (const key of tellTransaction(ledger, topics, commitment, entry, newest)) changed.add(key);
    }
    for (const key of changed) {
      topics.notifyChange(topicOf('account', commitment, key), { key, slot, newest });
    }
  }
}

/** @returns the accounts that it wrote */
function tellTransaction(
  { journal }: Ledger,
  topics: Topics,
  commitment: Commitment,
  { signature, err, place }: HistoryEntry,
  newest: number,
): Key[] {
  const context = { slot: newest };
  topics.notify(topicOf('signature', commitment, signature), { context, value: { err } });
  const { wire, loaded, logs, written } = journal.read(place);
  const { message } = readTransaction(Buffer.from(wire, 'base64'));
  const mentioned = [...message.keys, ...[...loaded.writable, ...loaded.readonly].map(keyOf)];
  for (const subject of ['', ...mentioned]) {
    topics.notify(topicOf('logs', commitment, subject), { context, value: { signature, err, logs } });
  }
  return written.map(({ key }) => keyOf(key));
}

function keyOf(base64: string): Key {
  return keyAt(Buffer.from(base64, 'base64'));
}
