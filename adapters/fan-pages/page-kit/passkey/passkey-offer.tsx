import { Alert } from '../parts/alert.tsx';
import { Lead } from '../parts/lead.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { useTexts } from '../texts/words.ts';
import { type Explain, useWork } from '../use-work.ts';
import { type AddPasskey, makePasskey } from './browser-passkey.ts';

type Props = {
  api: AddPasskey & { declinePasskey: () => Promise<unknown> };
  /** Called with a passkey or without. */
  onDone: () => void;
  explain: Explain;
};

/** Offers a passkey after a sign-in by code. "Not now" goes on, and is remembered for a while. */
export function PasskeyOffer({ api, onDone, explain }: Props) {
  const { passkey: words } = useTexts();
  const { busy, problem, run } = useWork(explain);

  function create(event: Event): void {
    event.preventDefault();
    void run(() => makePasskey(api).then(onDone));
  }

  async function decline(): Promise<void> {
    // the sign-in continues even if the answer could not be stored: then the fan is asked again
    await api.declinePasskey().catch(() => undefined);
    onDone();
  }

  return (
    <form onSubmit={create} noValidate>
      <Lead title={words.offerTitle}>{words.offerDetail}</Lead>
      <Alert message={problem} />
      <div class="decision">
        <SubmitButton busy={busy} busyText={words.busy}>
          {words.create}
        </SubmitButton>
        <button type="button" class="button" onClick={() => void decline()}>
          {words.notNow}
        </button>
      </div>
    </form>
  );
}
