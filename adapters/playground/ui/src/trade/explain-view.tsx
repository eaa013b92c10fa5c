import { ScrollBox } from '../parts/scroll-box.tsx';
import type { ExplainedTransaction, Explanation } from './sale.ts';

/** What each rule of the co-signing policy says of a transaction that was not sent for real. */
export function ExplainView({ explanation }: { explanation: Explanation }) {
  return (
    <section class="explain" aria-label="Explanation">
      {explanation.transactions.map((transaction, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place in the request
        <Transaction key={index} transaction={transaction} />
      ))}
    </section>
  );
}

function Transaction({ transaction: { accepted, instructions, rules } }: { transaction: ExplainedTransaction }) {
  const failed = rules.filter(({ passed }) => !passed);
  return (
    <div class="explained">
      <p class={accepted ? 'outcome good' : 'outcome bad'} role="status">
        {accepted
          ? `It would be accepted: all ${rules.length} rules pass. Nothing was signed.`
          : `It would be refused: ${failed.length} of ${rules.length} rules fail. Nothing was signed.`}
      </p>
      <ul class="checks" aria-label="Rules of the policy">
        {[...failed, ...rules.filter(({ passed }) => passed)].map(({ rule, passed, message, fix }) => (
          <li key={rule} class={passed ? 'passed' : 'failed'}>
            <span class="verdict">{passed ? 'Passed' : 'Failed'}</span>
            <span>
              <strong>
                <code>{rule}</code>
              </strong>
              {message ? <small>{message}</small> : null}
              {!passed && fix ? <small class="fix">{fix}</small> : null}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Instructions, as the service reads them ({instructions.length})</summary>
        <ScrollBox class="code-box" label="Instructions">
          <pre>{JSON.stringify(instructions, null, 2)}</pre>
        </ScrollBox>
      </details>
    </div>
  );
}
