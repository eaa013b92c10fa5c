import { useRef, useState } from 'preact/hooks';
import type { Mode } from '../../../../src/platform/mode.ts';
import { plainDigits } from '../../../../src/platform/plain-digits.ts';
import { readFailure } from '../failure.ts';
import { Alert } from '../parts/alert.tsx';
import { Lead } from '../parts/lead.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { useWords } from '../texts/words.ts';
import { useCountdown } from '../use-countdown.ts';
import { type Explain, useWork } from '../use-work.ts';

const CODE_LENGTH = 6;

type Props = {
  /** `now` is the server's time in milliseconds. */
  api: { verifyCode(code: string): Promise<unknown>; now(): number };
  /** `phone` is masked; `resendAt` is the time from which another code can be sent, ISO 8601. */
  session: { mode: Mode; phone: string | null; resendAt: string | null };
  onVerified: () => void;
  /** Reads the session again; undefined when it has ended, which the page then shows. */
  reload: () => Promise<{ triesLeft: number } | undefined>;
  /** Sends another code to the same number; undefined when this tab has not stored the number. */
  resend: (() => Promise<void>) | undefined;
  onChangeNumber: () => void;
  explain: Explain;
};

export function CodeStep({ api, session, onVerified, reload, resend, onChangeNumber, explain }: Props) {
  const { texts, format } = useWords();
  const [code, setCode] = useState('');
  const [notice, setNotice] = useState('');
  const { busy, problem, setProblem, run } = useWork(explain);
  const field = useRef<HTMLInputElement>(null);
  const secondsToResend = useCountdown(session.resendAt, api.now);
  const isSandbox = session.mode === 'sandbox';

  async function verify(candidate: string): Promise<void> {
    setNotice('');
    if (candidate.length === CODE_LENGTH) await api.verifyCode(candidate).then(onVerified, refuse);
    else {
      setProblem(texts.code.incomplete);
      field.current?.focus();
    }
  }

  async function refuse(error: unknown): Promise<void> {
    const { reason } = readFailure(error);
    // A code that can be sent again unchanged stays in the field.
    if (reason === 'wrong_code' || reason === 'code_expired') setCode('');
    field.current?.focus();
    if (reason !== 'wrong_code') throw error;
    const tries = (await reload())?.triesLeft;
    if (tries !== undefined) setProblem(`${texts.failures.wrong_code} ${format(texts.code.triesLeft, { tries })}`);
  }

  function read(event: { currentTarget: HTMLInputElement }): void {
    const digits = plainDigits(event.currentTarget.value).replace(/\D/g, '').slice(0, CODE_LENGTH);
    // Also when the state does not change: the field must not keep what was filtered out.
    event.currentTarget.value = digits;
    setCode(digits);
    if (digits.length === CODE_LENGTH && digits !== code) void run(() => verify(digits));
  }

  async function sendAgain(): Promise<void> {
    if (secondsToResend > 0 || busy) return;
    if (resend === undefined) {
      onChangeNumber();
      return;
    }
    setProblem(undefined);
    setNotice('');
    try {
      await resend();
      setNotice(isSandbox ? texts.code.sandboxResent : texts.code.resent);
      field.current?.focus();
    } catch (error) {
      setProblem(explain(readFailure(error)));
    }
  }

  function submit(event: Event): void {
    event.preventDefault();
    void run(() => verify(code));
  }

  return (
    <form onSubmit={submit} noValidate>
      <Lead id="code-detail" title={texts.code.title}>
        {isSandbox ? texts.code.sandboxDetail : texts.code.sentTo}{' '}
        <bdi class="number" dir="ltr">
          {session.phone}
        </bdi>
      </Lead>
      <div class="field">
        <label for="code">{texts.code.label}</label>
        <input
          id="code"
          ref={field}
          class="code"
          data-focus-first
          type="text"
          name="code"
          dir="ltr"
          autocomplete="one-time-code"
          inputMode="numeric"
          value={code}
          onInput={read}
          aria-required
          aria-invalid={problem !== undefined}
          aria-describedby="code-detail code-problem"
        />
        <Alert id="code-problem" message={problem} />
        <p role="status" class="notice">
          {notice}
        </p>
      </div>
      <SubmitButton busy={busy} busyText={texts.code.busy}>
        {texts.code.submit}
      </SubmitButton>
      <div class="asides">
        <button type="button" class="link" aria-disabled={secondsToResend > 0} onClick={sendAgain}>
          {secondsToResend > 0 ? format(texts.code.resendIn, { seconds: secondsToResend }) : texts.code.resend}
        </button>
        <button type="button" class="link" onClick={onChangeNumber}>
          {texts.code.changeNumber}
        </button>
      </div>
    </form>
  );
}
