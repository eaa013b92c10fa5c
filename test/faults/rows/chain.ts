import bs58 from 'bs58';
import { oneOfTwoLags } from '../../slow/cluster/lagging-node.ts';
import { type Fate, only, type RpcCall, type RpcReply, type Rule } from '../../support/rpc-proxy.ts';
import type { Fault } from '../fault.ts';

/** The Solana node. Sign-in, tokens and tickets do not need it. */
const HITS = ['listing', 'claim'] as const;

export const CHAIN_FAULTS: readonly Fault[] = [
  row('the Solana node hung', () => only('hang'), 16_000),
  row('the Solana node gone', () => only('away'), 10_000),
  row('the Solana node overloaded (429)', () => only({ status: 429, headers: { 'retry-after': '1' } }), 10_000),
  row('the Solana node loses answers and transactions', forgetful, 14_000),
  row('the Solana node lies: garbage, accounts that are not there', liar, 14_000),
  {
    ...row('one of two Solana nodes lags by 13 s', oneOfTwoLags, 20_000),
    stand: { network: { confirmedAfter: 1, finalizedAfter: 32 } },
    wholeWithinMs: 30_000,
  },
];

function row(name: string, rule: () => Rule, holdMs: number): Fault {
  return {
    name,
    hits: HITS,
    ready: 'yes',
    holdMs,
    inject: async ({ rpc }) => rpc.setRule(rule()),
    heal: async ({ rpc }) => rpc.reset(),
  };
}

/** Of two transactions one is taken, answered, and never run; of two answers one gets lost. */
function forgetful(): Rule {
  let [sent, asked] = [0, 0];
  return ({ method, params }: RpcCall) => {
    if (method === 'sendTransaction') {
      sent += 1;
      return sent % 2 === 0 ? { reply: { result: signatureOf(params) } } : 'lose answer';
    }
    asked += 1;
    return asked % 2 === 0 ? 'lose answer' : 'pass';
  };
}

function signatureOf([transaction, config]: unknown[]): string {
  const encoding = (config as { encoding?: string } | undefined)?.encoding ?? 'base58';
  const text = String(transaction);
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(bs58.decode(text));
  return bs58.encode(bytes.subarray(1, 65));
}

/** A third of the answers is garbage; a third says that nothing is there. By chance: a fixed order would spare some calls each time. */
function liar(): Rule {
  const fates: Fate[] = [{ reply: { result: 'nonsense' } }, emptied, 'pass'];
  return () => fates[Math.floor(Math.random() * fates.length)] ?? 'pass';
}

function emptied(reply: RpcReply): RpcReply {
  const result = reply.result as { context?: unknown; value?: unknown } | undefined;
  if (typeof result !== 'object' || result === null || !('value' in result)) return reply;
  const value = Array.isArray(result.value) ? result.value.map(() => null) : null;
  return { result: { ...result, value } };
}
