import { useState } from 'preact/hooks';
import { type Failure, readFailure } from '../../../page-kit/failure.ts';
import { regionOfBrowser } from '../../../page-kit/languages.ts';
import { Lead } from '../../../page-kit/parts/lead.tsx';
import { SubmitButton } from '../../../page-kit/parts/submit-button.tsx';
import { type PhoneDraft, PhoneField } from '../../../page-kit/phone/phone-field.tsx';
import { loadPhoneRules } from '../../../page-kit/phone/use-phone-rules.ts';
import { useTexts } from '../../../page-kit/texts/words-context.ts';
import type { LoginApi, Session } from '../api.ts';
import { keep, recall } from '../kept-in-tab.ts';

type Props = {
  api: LoginApi;
  session: Session;
  onSent: (phone: string) => void;
  /** Turns a failure into what to say here, or into nothing when the whole page changes because of it. */
  explain: (failure: Failure) => string | undefined;
};

/** What was typed before a reload, else the number to be corrected, else the partner's hint. */
function firstDraft({ sessionId, loginHint }: Session): PhoneDraft {
  const { draft, phone } = recall(sessionId);
  const region = regionOfBrowser(navigator.languages);
  return { ...(region !== undefined && { region }), typed: phone ?? loginHint ?? '', ...draft };
}

export function PhoneStep({ api, session, onSent, explain }: Props) {
  const texts = useTexts();
  const [draft, setDraft] = useState(() => firstDraft(session));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  function change(next: PhoneDraft): void {
    if (next.typed !== draft.typed || next.region !== draft.region) setProblem(undefined);
    setDraft(next);
    keep(session.sessionId, { draft: next });
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      const phone = (await loadPhoneRules()).toE164(draft.typed, draft.region);
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
      <PhoneField draft={draft} onChange={change} problem={problem} />
      <SubmitButton busy={busy} busyText={texts.phone.busy}>
        {texts.phone.submit}
      </SubmitButton>
    </form>
  );
}
