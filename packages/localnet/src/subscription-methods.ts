import { z } from 'zod';
import { accountAtSlot } from './bank.ts';
import type { Commitment } from './commitment.ts';
import { type Ledger, slotOf } from './ledger.ts';
import { accountFields } from './rpc/account-data.ts';
import { accountJson, closedAccountJson } from './rpc/account-json.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod, Signature } from './rpc/method.ts';
import type { Subscription, Topics } from './subscription-topics.ts';

type Kind = 'account' | 'logs' | 'received' | 'signature' | 'slot';

const UNSUBSCRIBED: Kind[] = ['account', 'logs', 'signature', 'slot'];

/** What a subscription waits for. A subject is a key or a signature; `''` is all of a kind. */
export function topicOf(kind: Kind, commitment: Commitment | undefined = undefined, subject = ''): string {
  return `${kind}:${commitment ?? ''}:${subject}`;
}

const NoParams = z.tuple([]);
const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();
const AccountSubscribe = z.tuple([Address, AccountConfig.optional()]);
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

/** The methods of one WebSocket connection. As on a cluster, a subscription without a commitment is at `finalized`. */
export function subscriptionMethods(ledger: Ledger, topics: Topics, connection: number): Record<string, RpcMethod> {
  const subscribe = (kind: Kind, entry: Pick<Subscription, 'topic' | 'besides' | 'commitment' | 'render'>) =>
    topics.add({ connection, notification: `${kind}Notification`, once: kind === 'signature', ...entry });
  const unsubscribe = method(z.tuple([z.int()]), (_, [id]) => {
    topics.removeOwn(connection, id);
    return true;
  });
  return {
    ...Object.fromEntries(UNSUBSCRIBED.map((kind) => [`${kind}Unsubscribe`, unsubscribe])),

    accountSubscribe: method(AccountSubscribe, (_, [address, config]) => {
      const commitment = config?.commitment ?? 'finalized';
      return subscribe('account', {
        topic: topicOf('account', commitment, address),
        commitment,
        render({ key, slot, newest }) {
          const account = accountAtSlot(ledger, key, slot);
          const value = account
            ? accountJson(account, config, (other) => accountAtSlot(ledger, other, slot))
            : closedAccountJson(config);
          return { context: { slot: newest }, value };
        },
      });
    }),

    signatureSubscribe: method(SignatureSubscribe, (_, [signature, config]) => {
      const commitment = config?.commitment ?? 'finalized';
      const received = config?.enableReceivedNotification ? topicOf('received', undefined, signature) : undefined;
      const topic = topicOf('signature', commitment, signature);
      const id = subscribe('signature', { topic, ...(received && { besides: received }), commitment });
      const known = ledger.history.find(signature);
      const slot = slotOf(ledger, commitment);
      if (known && known.slot <= slot) topics.notify(topic, { context: { slot }, value: { err: known.err } });
      return id;
    }),

    logsSubscribe: method(LogsSubscribe, (_, [filter, config]) => {
      const commitment = config?.commitment ?? 'finalized';
      const subject = typeof filter === 'string' ? '' : filter.mentions[0];
      return subscribe('logs', { topic: topicOf('logs', commitment, subject), commitment });
    }),

    slotSubscribe: method(NoParams, () => subscribe('slot', { topic: topicOf('slot') })),
  };
}
