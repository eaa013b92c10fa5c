import type { ExplainResponse } from '@fan-api/sdk';
import { Member, rightsOf, ScrollBox, Table } from '../parts/table.tsx';

type ExplainedTransaction = ExplainResponse['transactions'][number];
type ExplainedRule = ExplainedTransaction['rules'][number];
type ExplainedInstruction = ExplainedTransaction['instructions'][number];

/** The result of each rule of the co-signing policy for a transaction that is only explained. */
export function ExplainView({ explanation }: { explanation: ExplainResponse }) {
  return (
    <section class="explain" aria-label="Explanation">
      {explanation.transactions.map((transaction, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place in the request
        <Transaction key={index} transaction={transaction} />
      ))}
    </section>
  );
}

type Verdict = 'Passed' | 'Failed' | 'Not checked';

function verdictOf({ passed, message }: ExplainedRule): Verdict {
  if (passed) return 'Passed';
  return message?.startsWith('not checked') ? 'Not checked' : 'Failed';
}

const ORDER: readonly Verdict[] = ['Failed', 'Not checked', 'Passed'];

function Transaction({ transaction: { accepted, instructions, rules } }: { transaction: ExplainedTransaction }) {
  const failed = rules.filter((rule) => verdictOf(rule) === 'Failed').length;
  const sorted = ORDER.flatMap((verdict) => rules.filter((rule) => verdictOf(rule) === verdict));
  return (
    <div class="explained">
      <p class={accepted ? 'outcome good' : 'outcome bad'} role="status">
        {accepted
          ? `It would be accepted: all ${rules.length} rules pass. Nothing was signed.`
          : `It would be refused: ${failed} of ${rules.length} rules ${failed === 1 ? 'fails' : 'fail'}. Nothing was signed.`}
      </p>
      <ScrollBox label="Rules of the policy" class="rules">
        <ul class="checks">
          {sorted.map((rule) => (
            <Rule key={rule.rule} rule={rule} />
          ))}
        </ul>
      </ScrollBox>
      <details>
        <summary>Instructions, as the service reads them ({instructions.length})</summary>
        {instructions.map((instruction, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place in the transaction
          <Instruction key={index} instruction={instruction} />
        ))}
      </details>
    </div>
  );
}

function Rule({ rule: given }: { rule: ExplainedRule }) {
  const { rule, passed, message, fix } = given;
  const verdict = verdictOf(given);
  return (
    <li class={{ Passed: 'passed', Failed: 'failed', 'Not checked': 'unchecked' }[verdict]}>
      <span class="verdict">{verdict === 'Not checked' ? 'Open' : verdict}</span>
      <span>
        <strong>
          <code>{rule}</code>
        </strong>
        {message ? <small>{message}</small> : null}
        {!passed && fix ? <small class="fix">{fix}</small> : null}
      </span>
    </li>
  );
}

function Instruction({ instruction }: { instruction: ExplainedInstruction }) {
  const { program, program_name, name, accounts, arguments: given = {}, data } = instruction;
  return (
    <Table
      label={`Instruction ${name ?? 'that is not known'}`}
      class="members"
      caption={
        <>
          <code>{name ?? 'unknown instruction'}</code> of {program_name ?? program}
        </>
      }
    >
      {Object.entries(given).map(([argument, value]) => (
        <Member key={argument} name={argument} value={value} note="argument" />
      ))}
      {accounts.map((account, index) => (
        <Member
          // biome-ignore lint/suspicious/noArrayIndexKey: an account is known by its place
          key={index}
          name={account.role ?? `account ${index}`}
          value={account.address ?? 'of a lookup table'}
          note={rightsOf(account)}
        />
      ))}
      <Member name="data" value={data} note="bytes" />
    </Table>
  );
}
