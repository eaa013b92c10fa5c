import type { ComponentChildren } from 'preact';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig } from '../config.ts';
import { fanApiOf, fetchTickets } from '../partner.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Sheet } from '../parts/facts.tsx';
import { Member, rightsOf, Table } from '../parts/table.tsx';
import { change, currentState } from '../state.ts';
import { buildTransaction, type TradeTerms } from './build-transaction.ts';
import { ExplainView } from './explain-view.tsx';
import { openNetwork } from './open-network.ts';
import type { BuiltTransaction, Sale, TradeKind } from './sale.ts';

type Props = {
  title: string;
  config: PlaygroundConfig;
  trade: Trade;
  built: BuiltTransaction | undefined;
  /** Label of the button that runs all steps. */
  atOnce: string;
  children?: ComponentChildren;
};

const CALLS: Readonly<Record<TradeKind, string>> = {
  list: 'POST /authorizations',
  cancel: 'POST /authorizations',
  claim: 'POST /claims/execute',
};

/** A trade, one step at a time or all in one go, with the explanation beside the transaction. */
export function TradePanel({ title, config, trade, built: given, atOnce, children }: Props) {
  const action = useAction();
  const built = given?.ticketId === trade.ticket.id ? given : undefined;
  const isClaim = trade.kind === 'claim';
  return (
    <Sheet title={title}>
      {children}
      <Alert message={action.problem} />
      <div class="controls">
        <ActionButton action={action} name={atOnce} primary work={() => runAll(config, trade)} />
      </div>
      <ol class="trade-steps" aria-label={`Steps: ${title}`}>
        <li>
          <ActionButton action={action} name="Build the transaction" work={() => build(config, trade)} />
          <span>With the SDK: the instruction, a fresh blockhash and your wallet’s signature.</span>
        </li>
        <li>
          <ActionButton action={action} name="Explain it" work={() => explain(config, trade)} />
          <span>
            {CALLS[trade.kind]} with <code>Prefer: explain</code>: each rule, and nothing is signed.
          </span>
        </li>
        {isClaim ? (
          <li>
            <ActionButton action={action} name="Claim it" work={() => claim(config, trade)} />
            <span>{CALLS.claim} with the buyer’s token. The service submits it.</span>
          </li>
        ) : (
          <>
            <li>
              <ActionButton action={action} name="Have it signed" work={() => sign(config, trade)} />
              <span>{CALLS[trade.kind]}: the service adds the fan’s signature and its own.</span>
            </li>
            <li>
              <ActionButton action={action} name="Submit it" work={() => submit(config, trade)} />
              <span>To the test network. Until then nothing has changed.</span>
            </li>
          </>
        )}
      </ol>
      {built === undefined ? null : (
        <div class={built.explained === undefined ? 'side-by-side single' : 'side-by-side'}>
          {built.explained === undefined ? null : <ExplainView explanation={built.explained} />}
          <TransactionView built={built} />
        </div>
      )}
    </Sheet>
  );
}

/** A transaction that this page has built: its one instruction with the accounts, and its bytes. */
function TransactionView({ built }: { built: BuiltTransaction }) {
  const { instruction, hex, signed, confirmed } = built;
  return (
    <div class="transaction">
      <Table
        label={`Accounts of ${instruction.name}`}
        class="members"
        columns={['Account', 'Address', 'As']}
        caption={
          <>
            <code>{instruction.name}</code>, {hex.length / 2} bytes, fee paid by {instruction.feePayer.slice(0, 6)}…
          </>
        }
      >
        {instruction.accounts.map((account) => (
          <Member key={account.name} name={account.name} value={account.address} note={rightsOf(account)} />
        ))}
        <Member name="data" value={instruction.data} />
        <Member name="blockhash" value={instruction.blockhash} />
      </Table>
      <div class="controls">
        <CopyButton label="Copy as hex" text={() => hex} />
        {signed === undefined ? null : <CopyButton label="Copy signed, as hex" text={() => signed} />}
      </div>
      {confirmed === undefined ? null : (
        <p class="outcome good" role="status">
          Confirmed on the test network: <span class="id">{confirmed}</span>
        </p>
      )}
    </div>
  );
}

/** The steps of a trade. Each stores its result, so that the next can run later, and throws its failure. */
type Trade = TradeTerms & {
  /** Whose token the call uses: the holder's, or the buyer's for a claim. */
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

async function explain(config: PlaygroundConfig, { kind, sub }: Trade): Promise<void> {
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

/** Runs all steps until one fails. */
async function runAll(config: PlaygroundConfig, trade: Trade): Promise<void> {
  await build(config, trade);
  if (trade.kind === 'claim') return claim(config, trade);
  await sign(config, trade);
  await submit(config, trade);
}
