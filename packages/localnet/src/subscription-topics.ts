import type { Commitment } from './commitment.ts';
import type { Key } from './key.ts';
import { RpcError } from './rpc-error.ts';

/** An account that a slot changed; `newest` is the newest slot of the commitment being reported. */
export interface AccountChange {
  key: Key;
  slot: number;
  newest: number;
}

export interface Subscription {
  id: number;
  connection: number;
  /** What it waits for. */
  topic: string;
  /** A second topic, whose notifications do not end the subscription. */
  besides?: string;
  /** Undefined for what has no commitment. */
  commitment?: Commitment;
  /** Name of the notification method. */
  notification: string;
  /** Ends with the first notification of its topic. */
  once: boolean;
  /** Makes the `result` of a change; undefined for what is told without one. */
  render?: (change: AccountChange) => unknown;
}

/** The subscriptions of all connections, by what they wait for. */
export interface Topics {
  /** @returns the id. @throws RpcError where the connection holds too many */
  add(entry: Omit<Subscription, 'id'>): number;
  /** @throws RpcError for an id that the connection does not hold */
  removeOwn(connection: number, id: number): void;
  close(connection: number): void;
  /** Sends one result to all subscribers of a topic. */
  notify(topic: string, result: unknown): void;
  /** Sends an account's change to all subscribers of a topic, each with its own encoding. */
  notifyChange(topic: string, change: AccountChange): void;
  /** Whether a commitment has subscribers. */
  has(commitment: Commitment): boolean;
}

/** The most subscriptions one connection may hold. */
const MAX_PER_CONNECTION = 1000;

/** No subscriptions yet. */
export function createTopics(emit: (connection: number, text: string) => void): Topics {
  const byTopic = new Map<string, Map<number, Subscription>>();
  const byConnection = new Map<number, Map<number, Subscription>>();
  const waiting: Record<Commitment, number> = { processed: 0, confirmed: 0, finalized: 0 };
  let lastId = 0;

  function topicsOf({ topic, besides }: Subscription): string[] {
    return besides === undefined ? [topic] : [topic, besides];
  }

  function remove(subscription: Subscription): void {
    const { id, connection, commitment } = subscription;
    if (!byConnection.get(connection)?.delete(id)) return;
    if (commitment) waiting[commitment] -= 1;
    for (const topic of topicsOf(subscription)) {
      const peers = byTopic.get(topic);
      peers?.delete(id);
      if (peers?.size === 0) byTopic.delete(topic);
    }
  }

  function send(topic: string, resultFor: (subscription: Subscription) => unknown): void {
    for (const subscription of [...(byTopic.get(topic)?.values() ?? [])]) {
      const result = resultFor(subscription);
      if (result === undefined) continue;
      const params = { result, subscription: subscription.id };
      emit(subscription.connection, JSON.stringify({ jsonrpc: '2.0', method: subscription.notification, params }));
      if (subscription.once && topic === subscription.topic) remove(subscription);
    }
  }

  return {
    add(entry) {
      const own = byConnection.get(entry.connection) ?? new Map<number, Subscription>();
      if (own.size >= MAX_PER_CONNECTION) {
        throw new RpcError('internalError', `a connection may hold ${MAX_PER_CONNECTION} subscriptions`);
      }
      lastId += 1;
      const subscription = { ...entry, id: lastId };
      byConnection.set(entry.connection, own.set(lastId, subscription));
      if (entry.commitment) waiting[entry.commitment] += 1;
      for (const topic of topicsOf(subscription)) {
        byTopic.set(topic, (byTopic.get(topic) ?? new Map<number, Subscription>()).set(lastId, subscription));
      }
      return lastId;
    },
    removeOwn(connection, id) {
      const subscription = byConnection.get(connection)?.get(id);
      if (!subscription) throw new RpcError('invalidParams', 'Invalid subscription id.');
      remove(subscription);
    },
    close(connection) {
      for (const subscription of [...(byConnection.get(connection)?.values() ?? [])]) remove(subscription);
      byConnection.delete(connection);
    },
    notify: (topic, result) => send(topic, () => result),
    notifyChange: (topic, change) => send(topic, ({ render }) => render?.(change)),
    has: (commitment) => waiting[commitment] > 0,
  };
}
