/** The whole sign-in of a fan. The server knows the step; this page shows it, also after a reload or in a second tab. */
import { useEffect, useState } from 'preact/hooks';
import type { LoginApi, Session } from './api.ts';
import { type EndingReason, type Failure, isEnding, readFailure } from './failure.ts';
import { Alert } from './parts/alert.tsx';
import { Ended } from './parts/ended.tsx';
import { Frame } from './parts/frame.tsx';
import { TryAgain } from './parts/try-again.tsx';
import { forgetPhone, recallPhone, rememberPhone } from './remembered-phone.ts';
import { CodeStep } from './steps/code-step.tsx';
import { ConsentStep } from './steps/consent-step.tsx';
import { PhoneStep } from './steps/phone-step.tsx';
import { texts } from './texts.ts';
import { useFocusOnChange } from './use-focus-on-change.ts';

type View =
  | { name: 'loading' | 'session' | 'changing-number' | 'leaving' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ended'; reason: EndingReason };

const messageOf = ({ reason, retryAfter }: Failure): string | undefined =>
  isEnding(reason) ? undefined : texts.failures[reason](retryAfter);

export function App({ api, sessionId }: { api: LoginApi; sessionId: string }) {
  const [session, setSession] = useState<Session>();
  const [view, setView] = useState<View>({ name: 'loading' });
  const [cancelProblem, setCancelProblem] = useState<string>();

  async function reload(): Promise<Session | undefined> {
    try {
      const current = await api.session();
      setSession(current);
      setView({ name: 'session' });
      return current;
    } catch (error) {
      const failure = readFailure(error);
      setView(isEnding(failure.reason) ? { name: 'ended', reason: failure.reason } : { name: 'failed', failure });
      return undefined;
    }
  }

  function explain(failure: Failure): string | undefined {
    if (isEnding(failure.reason)) setView({ name: 'ended', reason: failure.reason });
    if (failure.reason === 'wrong_step') void reload();
    return messageOf(failure);
  }

  function leave(redirectTo: string): void {
    setView({ name: 'leaving' });
    // Not `assign`: "back" from the partner should not come to a sign-in that is over.
    location.replace(redirectTo);
  }

  async function deny(): Promise<void> {
    setCancelProblem(undefined);
    try {
      leave((await api.deny()).redirectTo);
    } catch (error) {
      setCancelProblem(explain(readFailure(error)));
    }
  }

  async function sendTo(phone: string): Promise<void> {
    rememberPhone(sessionId, phone);
    await reload();
  }

  // On arrival, and when the browser brings a kept page back.
  useEffect(() => {
    void reload();
    const onReturn = (event: PageTransitionEvent) => (event.persisted ? void reload() : undefined);
    addEventListener('pageshow', onReturn);
    return () => removeEventListener('pageshow', onReturn);
  }, []);

  const expiresAt = session?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined || view.name !== 'session') return;
    const timer = setTimeout(
      () => setView({ name: 'ended', reason: 'session_expired' }),
      Date.parse(expiresAt) - api.now(),
    );
    return () => clearTimeout(timer);
  }, [api, expiresAt, view.name]);

  const shown =
    view.name === 'changing-number' && session !== undefined ? { ...session, step: 'phone' as const } : session;
  useFocusOnChange(view.name === 'session' ? shown?.step : view.name);
  useEffect(() => {
    const heading = document.querySelector('h1')?.textContent;
    if (heading) document.title = texts.documentTitle(heading, session?.clientName);
  });

  function renderStep(current: Session) {
    const common = { api, session: current, explain };
    const known = recallPhone(sessionId);
    switch (current.step) {
      case 'phone':
        return <PhoneStep key="phone" {...common} known={known} onSent={sendTo} />;
      case 'code':
        return (
          <CodeStep
            key="code"
            {...common}
            reload={reload}
            onVerified={() => {
              forgetPhone(sessionId);
              setSession({ ...current, step: 'consent' });
            }}
            resend={known === undefined ? undefined : () => api.sendCode(known).then(() => sendTo(known))}
            onChangeNumber={() => setView({ name: 'changing-number' })}
          />
        );
      case 'consent':
        return <ConsentStep key="consent" {...common} onLeave={leave} onDeny={deny} />;
      case 'done':
        return <Ended reason="done" clientName={current.clientName} />;
    }
  }

  function renderView() {
    if (view.name === 'ended') return <Ended reason={view.reason} clientName={session?.clientName} />;
    if (view.name === 'failed')
      return (
        <>
          <h1 tabIndex={-1}>{texts.failed}</h1>
          <TryAgain problem={messageOf(view.failure)} onRetry={reload} />
        </>
      );
    if (view.name === 'leaving' || shown === undefined)
      return (
        <p role="status" class="waiting">
          <span class="spinner" aria-hidden="true" />
          {view.name === 'leaving' ? texts.leaving(session?.clientName ?? '') : texts.loading}
        </p>
      );
    return renderStep(shown);
  }

  const isOpen = view.name === 'session' || view.name === 'changing-number';
  const isOver = view.name === 'ended' && session !== undefined;
  // On the consent step, "Deny" among the answers is the way out.
  const canCancel = isOpen && (shown?.step === 'phone' || shown?.step === 'code');
  return (
    <Frame session={isOver ? { ...session, step: 'done' } : shown} onCancel={canCancel ? deny : undefined}>
      {renderView()}
      <Alert message={cancelProblem} />
    </Frame>
  );
}
