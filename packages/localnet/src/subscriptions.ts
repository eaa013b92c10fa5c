/**
 * WebSocket subscriptions. Each commitment has its own position in the history, up to which its subscribers have been notified, so a late
 * timer loses nothing.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { accountAtSlot } from './account-at-slot.ts';
import { type Key, keyAt } from './key.ts';
import { type Commitment, type Ledger, slotOf } from './ledger.ts';
import { type AccountEncoding, accountFields, accountJson, closedAccountJson } from './rpc/account-json.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod, Signature } from './rpc/method.ts';
import { RpcError } from './rpc-error.ts';
import type { LandedTransaction } from './store.ts';
import { readTransaction } from './wire-transaction.ts';

type Kind = 'account' | 'logs' | 'signature' | 'slot';

interface Subscription {
  id: number;
  socket: WebSocket;
  kind: Kind;
  /** `processed` for the kinds that have no commitment. */
  commitment: Commitment;
  /** A key or a signature; undefined for all of a kind. */
  subject?: string;
  /** How the account is sent. */
  encoding?: AccountEncoding | null | undefined;
  /** Whether it is notified of the transaction's arrival too. */
  received?: boolean;
}

export interface Subscriptions {
  methodsFor(socket: WebSocket): Record<string, RpcMethod>;
  /** Notifies of a transaction that has just arrived and landed. */
  onLanded(signature: string): void;
  /** Sends what has reached each commitment since the last call. */
  update(): void;
  close(socket: WebSocket): void;
}

const COMMITMENTS: Commitment[] = ['processed', 'confirmed', 'finalized'];

/** The most subscriptions one connection may hold. */
const MAX_PER_CONNECTION = 1000;

/** The most slots reported after a pause, such as the sleep of the machine. */
const MAX_SLOTS = 32;

const AccountSubscribe = z.tuple([
  Address,
  z
    .object({ ...contextFields, ...accountFields })
    .nullish()
    .optional(),
]);
const SignatureSubscribe = z.tuple([
  Signature,
  z
    .object({ ...contextFields, enableReceivedNotification: z.boolean().nullish() })
    .nullish()
    .optional(),
]);
const LogsSubscribe = z.tuple([
  z.union([z.enum(['all', 'allWithVotes']), z.object({ mentions: z.tuple([Address]) })]),
  ContextConfig.optional(),
]);

export function createSubscriptions(ledger: Ledger): Subscriptions {
  const { store } = ledger;
  const subscriptions = new Map<number, Subscription>();
  /** The last transaction that was reported at each commitment. */
  const places = new Map<Commitment, number>();
  let lastSlot = 0;
  let lastId = 0;

  function add(entry: Omit<Subscription, 'id'>): number {
    const own = [...subscriptions.values()].filter(({ socket }) => socket === entry.socket);
    if (own.length >= MAX_PER_CONNECTION) {
      throw new RpcError('internalError', `a connection may hold ${MAX_PER_CONNECTION} subscriptions`);
    }
    lastId += 1;
    subscriptions.set(lastId, { ...entry, id: lastId });
    return lastId;
  }

  function send({ id, socket, kind }: Subscription, result: unknown): void {
    const params = { result, subscription: id };
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: `${kind}Notification`, params }));
  }

  const of = (kind: Kind, commitment: Commitment) =>
    [...subscriptions.values()].filter((entry) => entry.kind === kind && entry.commitment === commitment);

  function sendSignature(subscription: Subscription, slot: number, err: LandedTransaction['err']): void {
    send(subscription, { context: { slot }, value: { err } });
    subscriptions.delete(subscription.id);
  }

  /** What landed in one slot, at a commitment whose newest slot is `newest`. */
  function sendLanded(transactions: LandedTransaction[], commitment: Commitment, newest: number): void {
    const context = { slot: newest };
    for (const { signature, err, logs, wire, loaded } of transactions) {
      for (const entry of of('signature', commitment)) {
        if (entry.subject === signature) sendSignature(entry, newest, err);
      }
      const { keys } = readTransaction(Buffer.from(wire, 'base64')).message;
      const mentioned = new Set<string>([...keys, ...[...loaded.writable, ...loaded.readonly].map(keyOf)]);
      for (const entry of of('logs', commitment)) {
        const isMeant = entry.subject === undefined || mentioned.has(entry.subject);
        if (isMeant) send(entry, { context, value: { signature, err, logs } });
      }
    }
    const written = new Set<string>(transactions.flatMap((transaction) => transaction.written.map(keyOf)));
    const slot = transactions[0]?.slot ?? newest;
    const find = (key: Key) => accountAtSlot(ledger, key, slot);
    for (const entry of of('account', commitment)) {
      if (entry.subject === undefined || !written.has(entry.subject)) continue;
      const account = find(entry.subject as Key);
      const value = account ? accountJson(account, entry.encoding) : closedAccountJson(entry.encoding);
      send(entry, { context, value });
    }
  }

  function sendSlots(): void {
    const slot = slotOf(ledger, 'processed');
    const root = slotOf(ledger, 'finalized');
    for (let next = Math.max(lastSlot, slot - MAX_SLOTS) + 1; next <= slot; next++) {
      for (const entry of of('slot', 'processed')) send(entry, { slot: next, parent: next - 1, root });
    }
    lastSlot = slot;
  }

  function update(): void {
    for (const commitment of COMMITMENTS) {
      const slot = slotOf(ledger, commitment);
      const newest = store.lastId(slot);
      const from = places.get(commitment) ?? newest;
      places.set(commitment, newest);
      const isWaitedFor = [...subscriptions.values()].some((entry) => entry.commitment === commitment);
      if (newest <= from || !isWaitedFor) continue;
      const bySlot = Map.groupBy(store.readBetween(from, newest), (transaction) => transaction.slot);
      for (const transactions of bySlot.values()) sendLanded(transactions, commitment, slot);
    }
    sendSlots();
  }

  /** The methods of one connection. As on a cluster, a subscription without a commitment is at `finalized`. */
  function methodsFor(socket: WebSocket): Record<string, RpcMethod> {
    const unsubscribe = method(z.tuple([z.int()]), (_, [id]) => {
      if (subscriptions.get(id)?.socket !== socket) throw new RpcError('invalidParams', 'Invalid subscription id.');
      return subscriptions.delete(id);
    });
    return {
      accountUnsubscribe: unsubscribe,
      logsUnsubscribe: unsubscribe,
      signatureUnsubscribe: unsubscribe,
      slotUnsubscribe: unsubscribe,

      accountSubscribe: method(AccountSubscribe, (_, [subject, encoding]) =>
        add({ socket, kind: 'account', commitment: encoding?.commitment ?? 'finalized', subject, encoding }),
      ),

      signatureSubscribe: method(SignatureSubscribe, (_, [subject, config]) => {
        const commitment = config?.commitment ?? 'finalized';
        const received = config?.enableReceivedNotification ?? false;
        const id = add({ socket, kind: 'signature', commitment, subject, received });
        const known = store.find(subject);
        const slot = slotOf(ledger, commitment);
        const added = subscriptions.get(id);
        // after the answer with its id
        if (added && known && known.slot <= slot) setImmediate(() => sendSignature(added, slot, known.err));
        return id;
      }),

      logsSubscribe: method(LogsSubscribe, (_, [filter, config]) => {
        const commitment = config?.commitment ?? 'finalized';
        return add({
          socket,
          kind: 'logs',
          commitment,
          ...(typeof filter === 'object' && { subject: filter.mentions[0] }),
        });
      }),

      slotSubscribe: method(z.tuple([]), () => add({ socket, kind: 'slot', commitment: 'processed' })),
    };
  }

  update();
  return {
    methodsFor,
    onLanded(signature) {
      const result = { context: { slot: slotOf(ledger, 'processed') }, value: 'receivedSignature' };
      for (const entry of subscriptions.values())
        if (entry.received && entry.subject === signature) send(entry, result);
      update();
    },
    update,
    close(socket) {
      for (const entry of subscriptions.values()) if (entry.socket === socket) subscriptions.delete(entry.id);
    },
  };
}

function keyOf(base64: string): Key {
  return keyAt(Buffer.from(base64, 'base64'));
}
