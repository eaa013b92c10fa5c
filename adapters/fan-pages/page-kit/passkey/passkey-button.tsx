import { useState } from 'preact/hooks';
import { type Failure, readFailure } from '../failure.ts';
import { Alert } from '../parts/alert.tsx';
import { useTexts } from '../texts/words.ts';
import { type AskForPasskey, knowsPasskeys, usePasskey as signInByPasskey } from './browser-passkey.ts';

type Props = {
  api: AskForPasskey;
  /** What the button says. */
  text: string;
  isMain?: boolean;
  onSignedIn: () => void;
  explain: (failure: Failure) => string | undefined;
};

/** Signs in by a passkey instead of a code. Nothing where the browser knows none. */
export function PasskeyButton({ api, text, isMain, onSignedIn, explain }: Props) {
  const texts = useTexts();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (!knowsPasskeys()) return null;

  async function signIn(): Promise<void> {
    if (busy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await signInByPasskey(api);
      onSignedIn();
    } catch (error) {
      setProblem(explain(readFailure(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div class="passkey">
      <button
        type="button"
        class={isMain ? 'button primary' : 'button'}
        aria-disabled={busy}
        onClick={() => void signIn()}
      >
        {busy ? (
          <>
            <span class="spinner" aria-hidden="true" />
            {texts.passkey.busy}
          </>
        ) : (
          text
        )}
      </button>
      <Alert message={problem} />
    </div>
  );
}
