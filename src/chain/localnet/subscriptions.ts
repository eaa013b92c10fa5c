/**
 * What clients of the WebSocket wait for. A subscription hangs on a topic ("account:…", "signature:…"), so that a
 * transaction is matched against those it concerns only.
 */
import bs58 from 'bs58';
import { z } from 'zod';
import { base58Of, bytesOf, type Key, keyAt } from './key.ts';
import type { Landing, Ledger } from './ledger.ts';
import { accountFields, accountJson } from './rpc/account-json.ts';
import { matches, ProgramConfig } from './rpc/account-methods.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod } from './rpc/method.ts';
import { RpcError } from './rpc-error.ts';
import { accountAt } from './vm.ts';

/** Makes the `result` of a notification; undefined when the subscriber's filters leave this one out. */
type Render = (subject: Key) => unknown;

interface Subscription {
  id: number;
  connection: number;
  topic: string;
  /** Name of the notification method. */
  notification: string;
  /** A subscription that has said its only word ends by itself. */
  once: boolean;
  render: Render;
}

export interface Subscriptions {
  methodsFor(connection: number): Record<string, RpcMethod>;
  onLanded(landing: Landing): void;
  onSlot(slot: number): void;
  close(connection: number): void;
}

/** The most subscriptions one connection may hold. */
const MAX_PER_CONNECTION = 1000;

const KINDS = ['account', 'logs', 'program', 'signature', 'slot'];

const NO_SUBJECT = '' as Key;

/** `emit` sends a text to a connection; the caller delivers it after the answer being made. */
export function createSubscriptions(ledger: Ledger, emit: (connection: number, text: string) => void): Subscriptions {
  const byTopic = new Map<string, Map<number, Subscription>>();
  const byConnection = new Map<number, Map<number, Subscription>>();
  let lastId = 0;

  function add(entry: Omit<Subscription, 'id'>): number {
    const own = byConnection.get(entry.connection) ?? new Map<number, Subscription>();
    if (own.size >= MAX_PER_CONNECTION) {
      throw new RpcError('internalError', `a connection may hold ${MAX_PER_CONNECTION} subscriptions`);
    }
    lastId += 1;
    const subscription = { ...entry, id: lastId };
    byConnection.set(entry.connection, own.set(lastId, subscription));
    const peers = byTopic.get(entry.topic) ?? new Map<number, Subscription>();
    byTopic.set(entry.topic, peers.set(lastId, subscription));
    return lastId;
  }

  function remove({ id, connection, topic }: Subscription): void {
    byConnection.get(connection)?.delete(id);
    const peers = byTopic.get(topic);
    peers?.delete(id);
    if (peers?.size === 0) byTopic.delete(topic);
  }

  function notify(topic: string, subject: Key = NO_SUBJECT, result?: unknown): void {
    for (const subscription of [...(byTopic.get(topic)?.values() ?? [])]) {
      const rendered = result ?? subscription.render(subject);
      if (rendered === undefined) continue;
      const params = { result: rendered, subscription: subscription.id };
      emit(subscription.connection, JSON.stringify({ jsonrpc: '2.0', method: subscription.notification, params }));
      if (subscription.once) remove(subscription);
    }
  }

  function inContext(value: unknown): unknown {
    return { context: { slot: ledger.clock.slot() }, value };
  }

  function methodsFor(connection: number): Record<string, RpcMethod> {
    const subscribe = (topic: string, kind: string, render: Render = () => undefined) =>
      add({ connection, topic, notification: `${kind}Notification`, once: kind === 'signature', render });
    const unsubscribe = method(z.tuple([z.int()]), (_, [id]) => {
      const subscription = byConnection.get(connection)?.get(id);
      if (!subscription) throw new RpcError('invalidParams', 'Invalid subscription id.');
      remove(subscription);
      return true;
    });
    return {
      ...Object.fromEntries(KINDS.map((kind) => [`${kind}Unsubscribe`, unsubscribe])),

      accountSubscribe: method(AccountSubscribe, (_, [address, config]) =>
        subscribe(`account:${address}`, 'account', () => inContext(accountAfter(ledger, address, config))),
      ),

      programSubscribe: method(z.tuple([Address, ProgramConfig.optional()]), (_, [program, config]) =>
        subscribe(`program:${program}`, 'program', (subject) => {
          const account = accountAt(ledger.vm, subject);
          if (!account || !matches(account, config?.filters)) return undefined;
          return inContext({ pubkey: base58Of(subject), account: accountJson(account, config) });
        }),
      ),

      signatureSubscribe: method(SignatureSubscribe, (_, [signature]) => {
        const id = subscribe(`signature:${signature}`, 'signature');
        const known = ledger.history.find(signature);
        if (known) notify(`signature:${signature}`, NO_SUBJECT, inContext({ err: known.err }));
        return id;
      }),

      logsSubscribe: method(LogsSubscribe, (_, [filter]) =>
        subscribe(typeof filter === 'string' ? 'logs:' : `logs:${filter.mentions[0]}`, 'logs'),
      ),

      slotSubscribe: method(z.tuple([]), () => subscribe('slot', 'slot')),
    };
  }

  function onLanded(landing: Landing): void {
    if (byTopic.size === 0 || 'refused' in landing) return;
    const { landed, accounts } = landing;
    const { signature, err, logs } = landed;
    notify(`signature:${signature}`, NO_SUBJECT, inContext({ err }));
    // A failed transaction changed nothing but the balance of its fee payer, the first account.
    const changed = accounts.keys.filter((_, index) => (err === null ? accounts.writable[index] : index === 0));
    for (const key of changed) {
      notify(`account:${key}`, key);
      const account = ledger.vm.getAccount(bytesOf(key));
      if (account) notify(`program:${keyAt(account.owner())}`, key);
    }
    for (const topic of ['', ...accounts.keys])
      notify(`logs:${topic}`, NO_SUBJECT, inContext({ signature, err, logs }));
  }

  return {
    methodsFor,
    onLanded,
    onSlot(slot) {
      notify('slot', NO_SUBJECT, { slot, parent: slot - 1, root: slot });
    },
    close(connection) {
      for (const subscription of byConnection.get(connection)?.values() ?? []) remove(subscription);
      byConnection.delete(connection);
    },
  };
}

const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();
const AccountSubscribe = z.tuple([Address, AccountConfig.optional()]);

const SignatureSubscribe = z.tuple([
  z.string().refine((text) => bs58.decodeUnsafe(text)?.length === 64, 'not a base58 signature of 64 bytes'),
  z
    .object({ ...contextFields, enableReceivedNotification: z.boolean().nullish() })
    .nullish()
    .optional(),
]);

const LogsSubscribe = z.tuple([
  z.union([z.enum(['all', 'allWithVotes']), z.object({ mentions: z.tuple([Address]) })]),
  ContextConfig.optional(),
]);

/** A closed account is told as the empty one it has become. */
function accountAfter({ vm }: Ledger, address: Key, config: z.infer<typeof AccountConfig>): unknown {
  const account = accountAt(vm, address);
  if (account) return accountJson(account, config);
  const data = config?.encoding && config.encoding !== 'binary' ? ['', 'base64'] : '';
  return { lamports: 0, data, owner: '11111111111111111111111111111111', executable: false, rentEpoch: 0, space: 0 };
}
