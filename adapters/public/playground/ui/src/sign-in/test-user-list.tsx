import type { TestUser } from '../config.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Table } from '../parts/table.tsx';
import type { SignedInFan } from '../state.ts';

type Props = {
  testUsers: TestUser[];
  fans: SignedInFan[];
  /** Number of the one that `login_hint` names. */
  hinted: string | undefined;
  onHint: (phone: string | undefined) => void;
};

/** The test users of the sandbox: what the hosted page asks for. Choosing one fills the number in. */
export function TestUserList({ testUsers, fans, hinted, onHint }: Props) {
  return (
    <Table
      label="Test users"
      columns={['Phone', 'Code', 'Wallet', 'Fill in']}
      caption={
        'The sign-in page asks for a phone number and a code. Use one of these; no text message is sent. “Fill in” ' +
        'sends the number with the request, so that you type only the code.'
      }
    >
      {testUsers.map(({ id, phone, code, wallet_address }) => (
        <tr key={id}>
          <th scope="row">
            {phone}
            {fans.some(({ sub }) => sub === id) ? <span class="tag">signed in</span> : null}
          </th>
          <td>
            <span class="with-copy">
              {code}
              <CopyButton label="Copy" name={`Copy the code of ${phone}`} text={() => code} />
            </span>
          </td>
          <td class="id" title={wallet_address}>
            {wallet_address.slice(0, 6)}…{wallet_address.slice(-4)}
          </td>
          <td>
            <input
              type="checkbox"
              aria-label={`Fill in ${phone} (login_hint)`}
              checked={hinted === phone}
              onChange={() => onHint(hinted === phone ? undefined : phone)}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}
