/** The whole sign-in of a fan: one step at a time, the step being the server's. */
import { useEffect } from 'preact/hooks';
import { isEnding } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { Stranded } from '../../page-kit/parts/stranded.tsx';
import { TryAgain } from '../../page-kit/parts/try-again.tsx';
import { CodeStep } from '../../page-kit/phone/code-step.tsx';
import { WordsContext } from '../../page-kit/texts/words-context.ts';
import { useFocusOnChange } from '../../page-kit/use-focus-on-change.ts';
import type { LoginApi, Session } from './api.ts';
import { keep, recall } from './kept-in-tab.ts';
import { Ended } from './parts/ended.tsx';
import { Frame } from './parts/frame.tsx';
import { WayBack } from './parts/way-back.tsx';
import { ConsentStep } from './steps/consent-step.tsx';
import { PhoneStep } from './steps/phone-step.tsx';
import { useSignIn } from './use-sign-in.ts';

export function App({ api, sessionId }: { api: LoginApi; sessionId: string }) {
  const signIn = useSignIn(api, sessionId);
  const { session, partner, words, view, explain, reload } = signIn;
  const step = view.name === 'changing-number' ? 'phone' : session?.step;

  useFocusOnChange(view.name === 'session' ? step : view.name);
  useEffect(() => {
    const heading = document.querySelector('h1')?.textContent;
    if (heading) document.title = partner === undefined ? heading : `${heading} · ${partner.clientName}`;
  });
  useEffect(() => {
    if (words === undefined) return;
    document.documentElement.lang = words.locale;
    document.documentElement.dir = words.texts.direction;
  }, [words]);

  if (view.name === 'stranded') return <Stranded />;
  if (words === undefined) return <Waiting />;
  const { texts } = words;

  async function sendTo(phone: string): Promise<void> {
    keep(sessionId, { phone, draft: undefined });
    await reload();
  }

  function renderStep(current: Session) {
    const common = { api, session: current, explain };
    const { phone } = recall(sessionId);
    switch (step) {
      case 'phone':
        return <PhoneStep key="phone" {...common} onSent={sendTo} />;
      case 'code':
        return (
          <CodeStep
            key="code"
            {...common}
            reload={reload}
            onVerified={() => {
              keep(sessionId, { phone: undefined });
              signIn.setSession({ ...current, step: 'consent' });
            }}
            resend={phone === undefined ? undefined : () => api.sendCode(phone).then(() => sendTo(phone))}
            onChangeNumber={() => signIn.setView({ name: 'changing-number' })}
          />
        );
      case 'consent':
        return <ConsentStep key="consent" {...common} onLeave={signIn.leave} onDeny={signIn.deny} />;
      default:
        return <Ended reason="done" partner={partner} />;
    }
  }

  function renderView() {
    if (view.name === 'ended') return <Ended reason={view.reason} partner={partner} />;
    if (view.name === 'failed') {
      const { reason, retryAfter } = view.failure;
      return (
        <>
          <h1 tabIndex={-1}>{texts.failed}</h1>
          <TryAgain problem={isEnding(reason) ? undefined : texts.failures[reason](retryAfter)} onRetry={reload} />
          <WayBack partner={partner} isMain={false} />
        </>
      );
    }
    if (view.name === 'leaving') return <Waiting text={texts.leaving(partner?.clientName ?? '')} />;
    return session === undefined ? <Waiting text={texts.loading} /> : renderStep(session);
  }

  // On the consent step, "Deny" among the answers is the way out.
  const canCancel = signIn.isOpen && (step === 'phone' || step === 'code');
  return (
    <WordsContext value={words}>
      <Frame
        partner={partner}
        step={signIn.isOpen || view.name === 'leaving' ? step : undefined}
        onCancel={canCancel ? signIn.deny : undefined}
      >
        {renderView()}
        <Alert message={signIn.cancelProblem} />
        <p role="status" class="closing">
          {signIn.isClosingSoon ? texts.closingSoon : null}
        </p>
      </Frame>
    </WordsContext>
  );
}

/** Nothing to do but wait; without a text as long as the language is not known. */
function Waiting({ text }: { text?: string }) {
  return (
    <p role="status" class="waiting">
      <span class="spinner" aria-hidden="true" />
      {text}
    </p>
  );
}
