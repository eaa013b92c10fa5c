import { CopyButton } from '../parts/copy-button.tsx';
import { Member, rightsOf, Table } from '../parts/table.tsx';
import type { BuiltTransaction } from './sale.ts';

/** A transaction that this page has built: its one instruction with the accounts, and its bytes. */
export function TransactionView({ built }: { built: BuiltTransaction }) {
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
