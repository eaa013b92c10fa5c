import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../failure.ts';
import { regionOfBrowser } from '../languages.ts';
import { Lead } from '../parts/lead.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { useTexts } from '../texts/words.ts';
import { useWork } from '../use-work.ts';
import { loadPhoneRules, type PhoneDraft, PhoneField } from './phone-field.tsx';

type Props = {
  /** The sentence below the heading. */
  detail: string;
  /** What the field holds at first; the region defaults to the browser's. */
  initial: PhoneDraft;
  onDraft?: (draft: PhoneDraft) => void;
  /** Sends a code to this number (E.164). */
  onSend: (phone: string) => Promise<void>;
  /** Turns a failure with a number into what to say here, or into nothing when the whole page changes because of it. */
  explain: (failure: Failure, phone: string) => string | undefined;
  /** Other ways to sign in, below the form. */
  children?: ComponentChildren;
};

/** The number without spaces and punctuation. Formatting changes only those, and can happen after the number was refused. */
const digitsOf = ({ typed }: PhoneDraft) => typed.replace(/[\p{P}\p{Z}]/gu, '');

export function PhoneStep({ detail, initial, onDraft, onSend, explain, children }: Props) {
  const texts = useTexts();
  const [draft, setDraft] = useState<PhoneDraft>({ region: regionOfBrowser(navigator.languages), ...initial });
  // what the field shows, until the number is known
  let shown = draft.typed;
  const { busy, problem, setProblem, run } = useWork((failure) => explain(failure, shown));

  function change(next: PhoneDraft): void {
    if (digitsOf(next) !== digitsOf(draft) || next.region !== draft.region) setProblem(undefined);
    setDraft(next);
    onDraft?.(next);
  }

  function submit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      const { toE164, formatAsTyped } = await loadPhoneRules();
      const phone = toE164(draft.typed, draft.region);
      if (phone === undefined) {
        setProblem(texts.phone.incomplete);
        return;
      }
      shown = formatAsTyped(phone, undefined);
      await onSend(phone);
    });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Lead title={texts.phone.title}>{detail}</Lead>
      <PhoneField draft={draft} onChange={change} problem={problem} />
      <SubmitButton busy={busy} busyText={texts.phone.busy}>
        {texts.phone.submit}
      </SubmitButton>
      {children}
    </form>
  );
}
