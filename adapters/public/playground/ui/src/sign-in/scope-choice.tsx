import { toggleScope } from './authorize-url.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  openid: 'An ID token with the fan’s identifier.',
  profile: 'Accepted; it adds no claim.',
  offline_access: 'A refresh token, so that access lasts 30 days.',
  'fan:tickets:read': 'GET /tickets.',
  'fan:listings:write': 'POST /authorizations: list and cancel.',
  'fan:claims:write': 'POST /claims/execute: what a buyer needs.',
};

type Props = { scopes: string[]; chosen: string; onChange: (scope: string) => void };

/** The scopes that the client may ask for. */
export function ScopeChoice({ scopes, chosen, onChange }: Props) {
  const asked = chosen.split(' ');
  return (
    <fieldset class="scopes">
      <legend>Scopes to ask for</legend>
      {scopes.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            value={scope}
            checked={asked.includes(scope)}
            onChange={() => onChange(toggleScope(chosen, scope))}
          />
          <span>
            <code>{scope}</code>
            <small>{MEANINGS[scope]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
