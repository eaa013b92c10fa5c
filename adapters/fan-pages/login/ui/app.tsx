import { useEffect } from 'preact/hooks';
import type { EndingReason } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { Lead } from '../../page-kit/parts/lead.tsx';
import { NoConnection } from '../../page-kit/parts/no-connection.tsx';
import { TryAgain } from '../../page-kit/parts/try-again.tsx';
import { Waiting } from '../../page-kit/parts/waiting.tsx';
import { PasskeyButton } from '../../page-kit/passkey/passkey-button.tsx';
import { PasskeyOffer } from '../../page-kit/passkey/passkey-offer.tsx';
import { CodeStep } from '../../page-kit/phone/code-step.tsx';
import { ContinuityStep } from '../../page-kit/phone/continuity-step.tsx';
import { PhoneStep } from '../../page-kit/phone/phone-step.tsx';
import { useWords, WordsContext } from '../../page-kit/texts/words.ts';
import { useDocumentLanguage, useFocusOnChange } from '../../page-kit/use-page.ts';
import type { LoginApi, Session } from './api.ts';
import { ConsentStep } from './consent-step.tsx';
import { Frame } from './parts/frame.tsx';
import { type Partner, readTabState, saveTabState } from './tab-state.ts';
import { useSignIn } from './use-sign-in.ts';

/** The whole sign-in of a fan: one step at a time, chosen by the server. */
export function App({ api, sessionId }: { api: LoginApi; sessionId: string }) {
  const signIn = useSignIn(api, sessionId);
  const { session, partner, words, view, explain, reload } = signIn;
  const step = view.name === 'changing-number' ? 'phone' : session?.step;

  const offersPasskey = step === 'consent' && signIn.offersPasskey;

  useFocusOnChange(view.name === 'session' ? (offersPasskey ? 'offer' : step) : view.name);
  useDocumentLanguage(words);
  useEffect(() => {
    const heading = document.querySelector('h1')?.textContent;
    if (heading) document.title = partner === undefined ? heading : `${heading} · ${partner.clientName}`;
  });

  if (view.name === 'no-connection') return <NoConnection />;
  if (words === undefined) return <Waiting />;
  const { texts, format, explainFailure } = words;

  async function sendCode(phone: string): Promise<void> {
    await api.sendCode(phone);
    saveTabState(sessionId, { phone, draft: undefined });
    await reload();
  }

  function signedIn(): void {
    saveTabState(sessionId, { phone: undefined, draft: undefined });
    void reload();
  }

  const notices = (
    <>
      <Alert message={signIn.problem} />
      <p role="status" class="closing">
        {signIn.isClosingSoon ? texts.closingSoon : null}
      </p>
    </>
  );

  function renderStep(current: Session) {
    const { phone, draft } = readTabState(sessionId);
    switch (step) {
      case 'phone':
        return (
          <PhoneStep
            key="phone"
            detail={current.mode === 'sandbox' ? texts.phone.sandboxDetail : texts.phone.detail}
            // the text typed before a reload, or the number to correct, or the partner's hint
            initial={draft ?? { typed: phone ?? current.loginHint ?? '' }}
            onDraft={(next) => saveTabState(sessionId, { draft: next })}
            onSend={sendCode}
            explain={explain}
          >
            {current.signsInByPasskey && (
              <PasskeyButton api={api} text={texts.passkey.use} onSignedIn={signedIn} explain={explain} />
            )}
          </PhoneStep>
        );
      case 'code':
        return (
          <CodeStep
            key="code"
            api={api}
            session={current}
            reload={reload}
            onVerified={signedIn}
            resend={phone === undefined ? undefined : () => sendCode(phone)}
            onChangeNumber={() => signIn.setView({ name: 'changing-number' })}
            explain={(failure) => explain(failure, phone)}
          />
        );
      case 'continuity':
        return <ContinuityStep key="continuity" api={api} session={current} onOpen={signedIn} explain={explain} />;
      case 'consent':
        if (offersPasskey) return <PasskeyOffer key="offer" api={api} onDone={signIn.stopOffering} explain={explain} />;
        return (
          <ConsentStep
            // another fan may have signed in meanwhile, in another tab
            key={`consent ${current.verifiedAt}`}
            api={api}
            session={current}
            onLeave={signIn.leave}
            onDeny={signIn.deny}
            onChangeFan={signIn.changeFan}
            notices={notices}
            explain={explain}
          />
        );
      default:
        return <Ended reason="done" partner={partner} />;
    }
  }

  function renderView() {
    switch (view.name) {
      case 'ended':
        return <Ended reason={view.reason} partner={partner} />;
      case 'failed':
        return (
          <>
            <h1 tabIndex={-1}>{texts.failed}</h1>
            <TryAgain problem={explainFailure(view.failure)} onRetry={reload} />
            <WayBack partner={partner} isMain={false} />
          </>
        );
      case 'leaving':
        return <Waiting text={format(texts.leaving, { client: partner?.clientName ?? '' })} />;
      default:
        return session === undefined ? <Waiting text={texts.loading} /> : renderStep(session);
    }
  }

  // On the consent step, "Deny" among the answers is the way out.
  const canCancel = signIn.isOpen && (step !== 'consent' || offersPasskey) && step !== 'done';
  return (
    <WordsContext value={words}>
      <Frame
        partner={partner}
        step={signIn.isOpen || view.name === 'leaving' ? step : undefined}
        onCancel={canCancel ? signIn.deny : undefined}
      >
        {renderView()}
        {/* the consent step shows them itself, where they stay in sight */}
        {signIn.isOpen && step === 'consent' && !offersPasskey ? null : notices}
      </Frame>
    </WordsContext>
  );
}

type Props = { reason: EndingReason | 'done'; partner: Partner | undefined };

/** A sign-in that is over: what happened and what to do next. */
function Ended({ reason, partner }: Props) {
  const { texts, format } = useWords();
  const { title, detail } = texts.ended[reason];
  const isDone = reason === 'done';
  return (
    <div class="ended">
      <span class={isDone ? 'mark good' : 'mark'} aria-hidden="true" />
      <Lead title={title}>{detail}</Lead>
      {reason === 'fan_stopped' ? null : (
        <p class="next">
          {partner === undefined
            ? texts.startAgainAtApp
            : format(isDone ? texts.goBack : texts.startAgain, { client: partner.clientName })}
        </p>
      )}
      {isDone ? null : <WayBack partner={partner} isMain />}
    </div>
  );
}

/** A link to the partner with the answer that nobody was signed in; nothing while the partner is not known. */
function WayBack({ partner, isMain }: { partner: Partner | undefined; isMain: boolean }) {
  const { texts, format } = useWords();
  return partner === undefined ? null : (
    <a class={isMain ? 'button primary' : 'button'} href={partner.returnTo}>
      {format(texts.back, { client: partner.clientName })}
    </a>
  );
}
