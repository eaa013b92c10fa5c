import { useState } from 'preact/hooks';
import type { PlaygroundConfig } from './config.ts';

/** The usual scopes of a partner that lists tickets. */
const USUAL_SCOPES = ['openid', 'profile', 'offline_access', 'fan:tickets:read', 'fan:listings:write'];

type Props = { config: PlaygroundConfig; onSignIn: (scopes: string[]) => void };

/** Before the sign-in: the test users, the scopes to ask for, and the button. */
export function TestUsers({ config, onSignIn }: Props) {
  const [chosen, setChosen] = useState(USUAL_SCOPES);
  const scopes = config.scopes.filter((scope) => chosen.includes(scope));
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope]);
  return (
    <section class="sheet" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in as a test user</h2>
      <p>The next page asks for a phone number and a code. Use one of these; no text message is sent.</p>
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
      <fieldset class="scopes">
        <legend>Scopes to ask for</legend>
        {config.scopes.map((scope) => (
          <label key={scope}>
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </fieldset>
      <button type="button" class="button primary" onClick={() => onSignIn(scopes)}>
        Sign in as the fan
      </button>
      <dl class="facts">
        <dt>client_id</dt>
        <dd>{config.client_id}</dd>
        <dt>Issuer</dt>
        <dd>{config.auth_url}</dd>
      </dl>
    </section>
  );
}
