import { CopyButton } from '../parts/copy-button.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import type { BuiltTransaction } from './sale.ts';

/** A transaction that this page has built: its one instruction with the accounts, and its bytes. */
export function TransactionView({ built }: { built: BuiltTransaction }) {
  const { instruction, hex, signed, confirmed } = built;
  return (
    <div class="transaction">
      <ScrollBox label={`Accounts of ${instruction.name}`}>
        <table class="members">
          <caption>
            <code>{instruction.name}</code>, {hex.length / 2} bytes, fee paid by {instruction.feePayer.slice(0, 6)}…
          </caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Address</th>
              <th scope="col">As</th>
            </tr>
          </thead>
          <tbody>
            {instruction.accounts.map(({ name, address, signer, writable }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td class="id">{address}</td>
                <td>{[signer && 'signer', writable && 'writable'].filter(Boolean).join(', ') || 'read'}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">data</th>
              <td class="id" colSpan={2}>
                {instruction.data}
              </td>
            </tr>
            <tr>
              <th scope="row">blockhash</th>
              <td class="id" colSpan={2}>
                {instruction.blockhash}
              </td>
            </tr>
          </tbody>
        </table>
      </ScrollBox>
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
