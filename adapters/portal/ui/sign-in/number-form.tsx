import { useState } from 'preact/hooks';
import { type Failure, readFailure } from '../../../page-kit/failure.ts';
import { regionOfBrowser } from '../../../page-kit/languages.ts';
import { Lead } from '../../../page-kit/parts/lead.tsx';
import { SubmitButton } from '../../../page-kit/parts/submit-button.tsx';
import { type PhoneDraft, PhoneField } from '../../../page-kit/phone/phone-field.tsx';
import { loadPhoneRules } from '../../../page-kit/phone/use-phone-rules.ts';
import { useTexts } from '../../../page-kit/texts/words-context.ts';

type Props = {
  /** The number that a code was asked for, to be corrected; E.164. */
  known: string | undefined;
  onSend: (phone: string) => Promise<void>;
  explain: (failure: Failure) => string | undefined;
};

export function NumberForm({ known, onSend, explain }: Props) {
  const texts = useTexts();
  const [draft, setDraft] = useState<PhoneDraft>(() => {
    const region = regionOfBrowser(navigator.languages);
    return { ...(region !== undefined && { region }), typed: known ?? '' };
  });
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      const phone = (await loadPhoneRules()).toE164(draft.typed, draft.region);
      if (phone === undefined) setProblem(texts.phone.incomplete);
      else await onSend(phone);
    } catch (error) {
      setProblem(explain(readFailure(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Lead title={texts.phone.title}>{texts.phone.detail}</Lead>
      <PhoneField draft={draft} onChange={setDraft} problem={problem} />
      <SubmitButton busy={busy} busyText={texts.phone.busy}>
        {texts.phone.submit}
      </SubmitButton>
    </form>
  );
}
