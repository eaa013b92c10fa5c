import type { ComponentChildren } from 'preact';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig } from '../config.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Sheet } from '../parts/facts.tsx';
import { ExplainView } from './explain-view.tsx';
import { build, claim, explain, runAll, sign, submit, type Trade } from './run-trade.ts';
import type { BuiltTransaction, TradeKind } from './sale.ts';
import { TransactionView } from './transaction-view.tsx';

type Props = {
  title: string;
  config: PlaygroundConfig;
  trade: Trade;
  built: BuiltTransaction | undefined;
  /** What the button that does all at once says. */
  atOnce: string;
  children?: ComponentChildren;
};

const CALLS: Readonly<Record<TradeKind, string>> = {
  list: 'POST /authorizations',
  cancel: 'POST /authorizations',
  claim: 'POST /claims/execute',
};

/** A trade, one step at a time or all at once, with the explanation beside the transaction. */
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
