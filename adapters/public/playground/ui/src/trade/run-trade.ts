import type { PlaygroundConfig } from '../config.ts';
import { fanApiOf, fetchTickets } from '../partner.ts';
import { change, currentState } from '../state.ts';
import { buildTransaction, type TradeTerms } from './build-transaction.ts';
import { openNetwork } from './open-network.ts';
import type { BuiltTransaction, Sale, TradeKind } from './sale.ts';

/** The steps of a trade. Each keeps what it did, so that the next may come later, and throws what went wrong. */
export type Trade = TradeTerms & {
  /** Whose token the call takes: the holder's, or of a claim the buyer's. */
  sub: string;
  /** `sub` of the holder. */
  seller: string;
};

function changeSale(changes: Partial<Sale>): void {
  change({ sale: { ...currentState().sale, ...changes } });
}

function builtOf(kind: TradeKind): BuiltTransaction {
  const built = currentState().sale.transactions[kind];
  if (built === undefined) throw new Error('Build the transaction first.');
  return built;
}

function changeBuilt(kind: TradeKind, built: BuiltTransaction): void {
  changeSale({ transactions: { ...currentState().sale.transactions, [kind]: built } });
}

export async function build(config: PlaygroundConfig, trade: Trade): Promise<void> {
  changeBuilt(trade.kind, await buildTransaction(config, trade));
}

export async function explain(config: PlaygroundConfig, { kind, sub }: Trade): Promise<void> {
  const built = builtOf(kind);
  changeBuilt(kind, { ...built, explained: await fanApiOf(config, sub).explain(kind, [built.hex]) });
}

/** Has a listing or cancellation signed. */
export async function sign(config: PlaygroundConfig, { kind, sub }: Trade): Promise<void> {
  if (kind === 'claim') throw new Error('A claim is submitted by the service.');
  const built = builtOf(kind);
  const [signed] = await fanApiOf(config, sub).authorize(kind, [built.hex]);
  changeBuilt(kind, { ...built, signed });
}

/** Submits what came back signed. Until then nothing has happened on the chain. */
export async function submit(config: PlaygroundConfig, { kind, ticket, seller }: Trade): Promise<void> {
  const built = builtOf(kind);
  if (built.signed === undefined) throw new Error('Have the transaction signed first.');
  const { program } = await openNetwork(config);
  const confirmed = await program.submit(built.signed);
  changeBuilt(kind, { ...built, confirmed });
  changeSale({ listed: kind === 'list' ? { ticket, seller } : undefined });
}

/** Claims the ticket for its buyer: the service submits the transfer itself. Then reads both fans' tickets. */
export async function claim(config: PlaygroundConfig, { ticket, sub, seller }: Trade): Promise<void> {
  const built = builtOf('claim');
  const [executed] = await fanApiOf(config, sub).claim([built.hex]);
  if (executed === undefined) throw new Error('The answer names no ticket.');
  changeBuilt('claim', { ...built, confirmed: executed.transfer_id });
  changeSale({ listed: undefined, claimed: { ticket, seller, buyer: sub, transferId: executed.transfer_id } });
  for (const fan of currentState().fans) {
    if (fan.sub === sub || fan.sub === seller) await fetchTickets(config, fan.sub);
  }
}

/** All of it at once, until something goes wrong. */
export async function runAll(config: PlaygroundConfig, trade: Trade): Promise<void> {
  await build(config, trade);
  if (trade.kind === 'claim') return claim(config, trade);
  await sign(config, trade);
  await submit(config, trade);
}
