import { useEffect } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import { useCountdown } from '../../../../../fan-pages/page-kit/use-countdown.ts';
import { describeRefusal } from '../calls/describe-refusal.ts';
import type { PlaygroundConfig } from '../config.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Facts, Sheet } from '../parts/facts.tsx';
import { change, changeFan, removeFan, type SignedInFan, type State } from '../state.ts';
import { fetchReceipt, fetchUserinfo, refreshTokens, revokeTokens, sendRefresh } from './refresh-tokens.ts';
import { TOKEN_FIELDS, textIn } from './token-set.ts';
import { TokenView } from './token-view.tsx';

type Props = { config: PlaygroundConfig; state: State; fan: SignedInFan };

/** The tokens of a fan: the response, its tokens decoded and verified, and what a partner does with them. */
export function TokensStep({ config, state, fan }: Props) {
  const action = useAction();
  const { tokens, sub } = fan;
  const { response } = tokens;
  const [spent] = tokens.spentRefreshTokens;

  const loadUserinfo = async () => changeFan(sub, { userinfo: await fetchUserinfo(config, sub) });
  const loadReceipt = async () => changeFan(sub, { receipt: await fetchReceipt(config, fan) });
  const reuse = async () => {
    if (spent === undefined) return 'No refresh token was used yet. Refresh first.';
    return describeRefusal(
      await sendRefresh(config, { refresh_token: spent, client_id: tokens.clientId }, 'Reuse a spent refresh token'),
    );
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each fan
  useEffect(() => {
    if (fan.userinfo === undefined && !tokens.revoked) void action.run('Userinfo', loadUserinfo);
  }, [sub]);

  const expectation = { issuer: config.auth_url, clientId: tokens.clientId };
  const accessToken = response.access_token;
  const idToken = textIn(tokens, 'id_token');
  return (
    <>
      <Sheet title="Tokens of this fan">
        <TokenState expiresAt={tokens.expiresAt} isRevoked={tokens.revoked ?? false} />
        <Alert message={action.problem} />
        <div class="controls">
          <ActionButton action={action} name="Refresh tokens" primary work={() => refreshTokens(config, sub)} />
          <ActionButton action={action} name="Userinfo" work={loadUserinfo} />
          <ActionButton action={action} name="Consent receipt" work={loadReceipt} />
          <ActionButton action={action} name="Reuse the spent refresh token" work={reuse} />
          <ActionButton action={action} name="Revoke" work={() => revokeTokens(config, fan)} />
          <button type="button" class="button" onClick={() => removeFan(sub)}>
            Forget this fan
          </button>
        </div>
        <label class="switch">
          <input
            type="checkbox"
            checked={state.refreshesItself}
            onChange={() => change({ refreshesItself: !state.refreshesItself })}
          />
          Refresh by itself before a call, where less than 10 seconds are left
        </label>
        <p class="hint">
          A refresh token works once. Using a spent one again looks like theft: it ends every token of this sign-in.
        </p>
      </Sheet>
      <Facts
        title="Token response"
        values={TOKEN_FIELDS.filter((name) => name in response).map((name) => [name, response[name]])}
      />
      <TokenView
        title="Access token"
        token={accessToken}
        config={config}
        expected={{ ...expectation, kind: 'access' }}
      />
      {idToken === undefined ? null : (
        <TokenView
          title="ID token"
          token={idToken}
          config={config}
          expected={{ ...expectation, kind: 'id', nonce: tokens.nonce, accessToken }}
        />
      )}
      {fan.userinfo === undefined ? null : <Facts title="Userinfo" values={Object.entries(fan.userinfo)} />}
      {fan.receipt === undefined ? null : (
        <TokenView
          title="The consent receipt"
          token={fan.receipt}
          config={config}
          expected={{ ...expectation, kind: 'receipt' }}
        />
      )}
    </>
  );
}

function TokenState({ expiresAt, isRevoked }: { expiresAt: string; isRevoked: boolean }) {
  const seconds = useCountdown(expiresAt, Date.now);
  if (isRevoked) return <p role="status">Revoked. Loading tickets or refreshing is refused from now on.</p>;
  if (seconds === 0) return <p>The access token has expired. Refresh it.</p>;
  return <p class="countdown">The access token is valid for {seconds} s.</p>;
}
