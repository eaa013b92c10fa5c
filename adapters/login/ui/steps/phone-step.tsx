import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoginApi, Session } from '../api.ts';
import { type Failure, readFailure } from '../failure.ts';
import { callingCodeOf, formatAsTyped, regionOfBrowser, toE164 } from '../format-phone.ts';
import { Alert } from '../parts/alert.tsx';
import { Lead } from '../parts/lead.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { texts } from '../texts.ts';

const region = regionOfBrowser(navigator.languages);

function hintOfRegion(): string {
  if (region === undefined) return texts.phone.international;
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(region) ?? region;
  return texts.phone.national(country, callingCodeOf(region));
}

type Props = {
  api: LoginApi;
  session: Session;
  /** The number typed before, to be corrected. */
  known: string | undefined;
  onSent: (phone: string) => void;
  /** Turns a failure into what to say here, or into nothing when the whole page changes because of it. */
  explain: (failure: Failure) => string | undefined;
};

export function PhoneStep({ api, session, known, onSent, explain }: Props) {
  const [typed, setTyped] = useState(() => formatAsTyped(known ?? session.loginHint ?? '', region));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  function read(event: InputEvent & { currentTarget: HTMLInputElement }): void {
    const { value, selectionStart } = event.currentTarget;
    const isDeletion = event.inputType?.startsWith('delete') ?? false;
    // Formatting moves the caret to the end, and would put back a bracket that was just deleted.
    const mayFormat = !isDeletion && selectionStart === value.length;
    setTyped(mayFormat ? formatAsTyped(value, region) : value);
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const phone = toE164(typed, region);
    setProblem(undefined);
    if (phone === undefined) {
      setProblem(texts.phone.incomplete);
      return;
    }
    setBusy(true);
    try {
      await api.sendCode(phone);
      onSent(phone);
    } catch (error) {
      setProblem(explain(readFailure(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Lead title={texts.phone.title}>
        {session.mode === 'sandbox' ? texts.phone.sandboxDetail : texts.phone.detail}
      </Lead>
      <div class="field">
        <label for="phone">{texts.phone.label}</label>
        <input
          id="phone"
          ref={field}
          data-focus-first
          type="tel"
          name="phone"
          autocomplete="tel"
          inputMode="tel"
          value={typed}
          onInput={read}
          onBlur={() => setTyped(formatAsTyped(typed, region))}
          aria-required
          aria-invalid={problem !== undefined}
          aria-describedby="phone-hint phone-problem"
        />
        <p id="phone-hint" class="hint">
          {hintOfRegion()}
        </p>
        <Alert id="phone-problem" message={problem} />
      </div>
      <SubmitButton busy={busy} busyText={texts.phone.busy}>
        {texts.phone.submit}
      </SubmitButton>
    </form>
  );
}
