import { Alert } from '../parts/alert.tsx';
import { useTexts } from '../texts/words.ts';
import { type Explain, useWork } from '../use-work.ts';
import { type AskForPasskey, knowsPasskeys, usePasskey as signInByPasskey } from './browser-passkey.ts';

type Props = {
  api: AskForPasskey;
  /** Label of the button. */
  text: string;
  isMain?: boolean;
  onSignedIn: () => void;
  explain: Explain;
};

/** Signs in by a passkey instead of a code. Renders nothing where the browser supports no passkeys. */
export function PasskeyButton({ api, text, isMain, onSignedIn, explain }: Props) {
  const texts = useTexts();
  const { busy, problem, run } = useWork(explain);
  if (!knowsPasskeys()) return null;

  const signIn = () => run(() => signInByPasskey(api).then(onSignedIn));

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
