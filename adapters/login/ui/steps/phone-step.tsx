import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoginApi, Session } from '../api.ts';
import { type Failure, readFailure } from '../failure.ts';
import { keep, recall } from '../kept-in-tab.ts';
import { regionOfBrowser } from '../languages.ts';
import { Alert } from '../parts/alert.tsx';
import { Lead } from '../parts/lead.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { CountrySelect } from '../phone/country-select.tsx';
import { loadPhoneRules, usePhoneRules } from '../phone/use-phone-rules.ts';
import { useTexts } from '../texts/words-context.ts';

type Props = {
  api: LoginApi;
  session: Session;
  onSent: (phone: string) => void;
  /** Turns a failure into what to say here, or into nothing when the whole page changes because of it. */
  explain: (failure: Failure) => string | undefined;
};

export function PhoneStep({ api, session, onSent, explain }: Props) {
  const texts = useTexts();
  const rules = usePhoneRules();
  const [{ draft, phone: known }] = useState(() => recall(session.sessionId));
  const [typed, setTyped] = useState(draft?.typed ?? known ?? session.loginHint ?? '');
  const [region, setRegion] = useState(draft?.region ?? regionOfBrowser(navigator.languages));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  /** Takes over what is in the field: formatted where that does not move the caret away. */
  function take(value: string, mayFormat: boolean): void {
    const nextRegion = rules?.regionOf(value, region) ?? region;
    const next = mayFormat && rules !== undefined ? rules.formatAsTyped(value, nextRegion) : value;
    setTyped(next);
    setRegion(nextRegion);
    keep(session.sessionId, { draft: { typed: next, ...(nextRegion !== undefined && { region: nextRegion }) } });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a number that was there before the rules were
  useEffect(() => {
    const { current } = field;
    // What is in the field, not the state: the fan may have typed since this was rendered.
    if (rules !== undefined && current && current.value !== '')
      take(current.value, current.selectionStart === current.value.length);
  }, [rules]);

  function read(event: InputEvent & { currentTarget: HTMLInputElement }): void {
    const { value, selectionStart } = event.currentTarget;
    const isDeletion = event.inputType?.startsWith('delete') ?? false;
    setProblem(undefined);
    // Formatting moves the caret to the end, and would put back a bracket that was just deleted.
    take(value, !isDeletion && selectionStart === value.length);
  }

  function choose(chosen: string): void {
    setProblem(undefined);
    const moved = rules?.moveToRegion(typed, region, chosen) ?? typed;
    setRegion(chosen);
    setTyped(moved);
    keep(session.sessionId, { draft: { typed: moved, region: chosen } });
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      const phone = (await loadPhoneRules()).toE164(typed, region);
      if (phone === undefined) {
        setProblem(texts.phone.incomplete);
        return;
      }
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
        <div class="phone">
          <CountrySelect
            rules={rules}
            region={region}
            isInternational={typed.trim().startsWith('+')}
            onChoose={choose}
          />
          <input
            id="phone"
            ref={field}
            data-focus-first
            type="tel"
            name="phone"
            dir="ltr"
            autocomplete="tel"
            inputMode="tel"
            value={typed}
            onInput={read}
            onBlur={(event) => take(event.currentTarget.value, true)}
            aria-required
            aria-invalid={problem !== undefined}
            aria-describedby="phone-hint phone-problem"
          />
        </div>
        <p id="phone-hint" class="hint">
          {texts.phone.hint}
        </p>
        <Alert id="phone-problem" message={problem} />
      </div>
      <SubmitButton busy={busy} busyText={texts.phone.busy}>
        {texts.phone.submit}
      </SubmitButton>
    </form>
  );
}
