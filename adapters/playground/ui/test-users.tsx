import type { PlaygroundConfig } from './config.ts';

type Props = { config: PlaygroundConfig; onSignIn: () => void };

/** Before the sign-in: who to be, and the way to it. */
export function TestUsers({ config, onSignIn }: Props) {
  return (
    <section class="sheet" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in as a test user</h2>
      <p>The next page asks for a phone number and a code. Use one of these; no message is sent to anybody.</p>
      <table>
        <caption class="hidden">Test users of this sandbox</caption>
        <thead>
          <tr>
            <th scope="col">Phone</th>
            <th scope="col">Code</th>
          </tr>
        </thead>
        <tbody>
          {config.test_users.map((user) => (
            <tr key={user.phone}>
              <td>{user.phone}</td>
              <td>{user.code}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="button primary" onClick={onSignIn}>
        Sign in as the fan
      </button>
      <dl class="facts">
        <dt>client_id</dt>
        <dd>{config.client_id}</dd>
        <dt>Issuer</dt>
        <dd>{config.auth_url}</dd>
        <dt>Scopes</dt>
        <dd>{config.scopes.join(' ')}</dd>
      </dl>
    </section>
  );
}
