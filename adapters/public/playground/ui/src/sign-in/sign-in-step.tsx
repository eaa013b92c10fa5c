import { codeChallengeOf, randomValue } from '@fan-api/sdk';
import type { ComponentChildren } from 'preact';
import { scopeEntry } from '../../../../../../src/partners/scope-table.ts';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig } from '../config.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Sheet } from '../parts/facts.tsx';
import { ScrollBox } from '../parts/table.tsx';
import { change, currentState, type State } from '../state.ts';
import {
  authorizeUrl,
  CHOICES,
  PIECES,
  type Piece,
  type PieceName,
  sentParameters,
  toggleScope,
} from './authorize-url.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { withVerifier } from './make-secrets.ts';
import { TestUserList } from './test-user-list.tsx';

/** Puts the authorize request together, piece by piece, and begins the sign-in. */
export function SignInStep({ config, state }: { config: PlaygroundConfig; state: State }) {
  const action = useAction();
  const { pieces, fans, exchangesItself } = state;
  const { parameters } = pieces;
  const endpoint = `${config.auth_url}/oauth2/authorize`;

  function setPiece(name: PieceName, piece: Piece): void {
    const now = currentState().pieces;
    change({ pieces: { ...now, parameters: { ...now.parameters, [name]: piece } } });
  }
  async function setVerifier(verifier: string): Promise<void> {
    const now = currentState().pieces;
    // immediately, so that the hash of the earlier text does not undo the typing
    change({ pieces: { ...now, verifier } });
    const changed = await withVerifier(now, verifier);
    if (currentState().pieces.verifier === verifier) change({ pieces: changed });
  }
  const hint = (phone: string | undefined) => setPiece('login_hint', { sent: phone !== undefined, value: phone ?? '' });
  const hinted = parameters.login_hint.sent ? parameters.login_hint.value : undefined;

  return (
    <>
      <Sheet title="Sign in as a test user">
        <TestUserList testUsers={config.test_users} fans={fans} hinted={hinted} onHint={hint} />
        <ScopeChoice
          scopes={config.scopes}
          chosen={parameters.scope.value}
          onChange={(value) => setPiece('scope', { sent: true, value })}
        />
        <Alert message={action.problem} />
        <div class="controls">
          <ActionButton action={action} name="Sign in as the fan" primary work={() => beginSignIn(config, pieces)} />
          <label class="switch">
            <input
              type="checkbox"
              checked={exchangesItself}
              onChange={() => change({ exchangesItself: !exchangesItself })}
            />
            Exchange the code by itself when the fan comes back
          </label>
        </div>
      </Sheet>
      <Sheet title="The authorize request">
        <p>
          The button opens this address. Change, add or leave out any piece: wrong ones are sent as they are, so that
          you see how the service refuses them.
        </p>
        <UrlView endpoint={endpoint} parameters={sentParameters(pieces)} url={authorizeUrl(endpoint, pieces)} />
        <div class="pieces">
          {(Object.keys(PIECES) as PieceName[]).map((name) => (
            <PieceRow key={name} name={name} piece={parameters[name]} onChange={(piece) => setPiece(name, piece)}>
              {name === 'state' || name === 'nonce' ? (
                <button
                  type="button"
                  class="small button"
                  aria-label={`New ${name}`}
                  onClick={() => setPiece(name, { sent: true, value: randomValue() })}
                >
                  New
                </button>
              ) : null}
              {name === 'code_challenge' ? (
                <button
                  type="button"
                  class="small button"
                  aria-label="Compute code_challenge from the verifier"
                  onClick={() =>
                    void codeChallengeOf(pieces.verifier).then((value) => setPiece(name, { sent: true, value }))
                  }
                >
                  Compute
                </button>
              ) : null}
            </PieceRow>
          ))}
          <div class="piece secret">
            <span class="piece-name">
              <code>code_verifier</code>
            </span>
            <div class="piece-value">
              <input
                type="text"
                aria-label="code_verifier"
                aria-describedby="meaning-code_verifier"
                autocomplete="off"
                spellcheck={false}
                value={pieces.verifier}
                onInput={({ currentTarget }) => void setVerifier(currentTarget.value)}
              />
              <button
                type="button"
                class="small button"
                aria-label="New code_verifier"
                onClick={() => void setVerifier(randomValue())}
              >
                New
              </button>
            </div>
            <p id="meaning-code_verifier" class="hint">
              Not sent now. The exchange sends it, and the service compares its hash with code_challenge. 43 to 128
              characters of A-Z a-z 0-9 - . _ ~
            </p>
          </div>
        </div>
      </Sheet>
    </>
  );
}

function UrlView({ endpoint, parameters, url }: { endpoint: string; parameters: [string, string][]; url: string }) {
  return (
    <div class="url-view">
      <ScrollBox class="code-box" label="The authorize URL">
        <pre>
          GET {endpoint}
          {parameters.map(([name, value], index) => (
            <span key={name}>
              {'\n  '}
              {index === 0 ? '?' : '&'}
              <b>{name}</b>={encodeURIComponent(value)}
            </span>
          ))}
        </pre>
      </ScrollBox>
      <CopyButton label="Copy the URL" text={() => url} />
    </div>
  );
}

type ScopeProps = { scopes: string[]; chosen: string; onChange: (scope: string) => void };

/** The scopes that the client may ask for. */
function ScopeChoice({ scopes, chosen, onChange }: ScopeProps) {
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
            <small>{scopeEntry(scope)?.says}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type PieceProps = {
  name: PieceName;
  piece: Piece;
  onChange: (piece: Piece) => void;
  /** Buttons beside the field. */
  children?: ComponentChildren;
};

/** One parameter: whether it is sent, its value, and what it means. Any value is allowed. */
function PieceRow({ name, piece, onChange, children }: PieceProps) {
  const choices = CHOICES[name];
  return (
    <div class={piece.sent ? 'piece' : 'piece unsent'}>
      <label class="piece-name">
        <input
          type="checkbox"
          aria-label={`Send ${name}`}
          checked={piece.sent}
          onChange={() => onChange({ ...piece, sent: !piece.sent })}
        />
        <code>{name}</code>
      </label>
      <div class="piece-value">
        <input
          type="text"
          id={`piece-${name}`}
          aria-label={name}
          aria-describedby={`meaning-${name}`}
          list={choices && `choices-${name}`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={piece.value}
          onInput={({ currentTarget }) => onChange({ sent: true, value: currentTarget.value })}
        />
        {choices === undefined ? null : (
          <datalist id={`choices-${name}`}>
            {choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        )}
        {children}
      </div>
      <p id={`meaning-${name}`} class="hint">
        {PIECES[name]}
      </p>
    </div>
  );
}
