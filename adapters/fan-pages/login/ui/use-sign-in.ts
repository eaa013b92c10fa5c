import { useEffect, useState } from 'preact/hooks';
import { type EndingReason, type Failure, isEnding, readFailure } from '../../page-kit/failure.ts';
import { canMakePasskey } from '../../page-kit/passkey/browser-passkey.ts';
import { loadWords, type Words } from '../../page-kit/texts/words.ts';
import { useArrival } from '../../page-kit/use-page.ts';
import { useWork } from '../../page-kit/use-work.ts';
import type { LoginApi, Session } from './api.ts';
import { type Partner, readTabState, saveTabState } from './tab-state.ts';

type View =
  | { name: 'loading' | 'session' | 'changing-number' | 'leaving' | 'no-connection' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ended'; reason: EndingReason };

/** The fan is warned this many milliseconds before the sign-in closes. @see WCAG 2.2 §2.2.1 */
const WARNING_TIME = 60_000;

/** The partner that the page may name. Not for a session of another browser: anybody may have sent that link. */
function partnerAfter(view: View, session: Session | undefined, sessionId: string): Partner | undefined {
  if (session !== undefined) return session;
  const isOurs = view.name === 'failed' || (view.name === 'ended' && view.reason !== 'session_elsewhere');
  return isOurs ? readTabState(sessionId).partner : undefined;
}

/** The state of the sign-in and of the page. The server stores the step; a reload asks for it again. */
export function useSignIn(api: LoginApi, sessionId: string) {
  const [session, setSession] = useState<Session>();
  const [words, setWords] = useState<Words>();
  const [view, setView] = useState<View>({ name: 'loading' });
  // asked immediately, so that the answer is there when the fan is signed in
  const [canOffer, setCanOffer] = useState(false);
  useEffect(() => void canMakePasskey().then(setCanOffer), []);

  async function reload(): Promise<Session | undefined> {
    // Started before the answer names the partner's language: most often it is this one.
    const likely = loadWords(readTabState(sessionId).partner?.uiLocales);
    likely.catch(() => undefined);
    const answer = await api.session().catch(readFailure);
    try {
      setWords(await ('reason' in answer ? likely : loadWords(answer.uiLocales)));
    } catch {
      setView({ name: 'no-connection' });
      return undefined;
    }
    if ('reason' in answer) {
      const { reason } = answer;
      setView(isEnding(reason) ? { name: 'ended', reason } : { name: 'failed', failure: answer });
      return undefined;
    }
    const { clientName, logo, mode, uiLocales, returnTo } = answer;
    saveTabState(sessionId, { partner: { clientName, logo, mode, uiLocales, returnTo } });
    setSession(answer);
    setView({ name: 'session' });
    return answer;
  }

  /** The text for a failure, or nothing where the whole page changes because of it. */
  function explain(failure: Failure, phone = ''): string | undefined {
    const { reason } = failure;
    if (isEnding(reason)) setView({ name: 'ended', reason });
    if (reason === 'wrong_step') void reload();
    return words?.explainFailure(failure, { phone, partner: session?.partnerName ?? '' });
  }

  function leave(redirectTo: string): void {
    saveTabState(sessionId, { draft: undefined, phone: undefined, choice: undefined });
    setView({ name: 'leaving' });
    // Not `assign`: "back" from the partner should not come to a sign-in that is over.
    location.replace(redirectTo);
  }

  /** For the buttons that leave the current step. */
  const { problem, run } = useWork(explain);

  const deny = () => run(async () => leave((await api.deny()).redirectTo));

  const changeFan = () =>
    run(async () => {
      await api.changeFan();
      saveTabState(sessionId, { draft: undefined, phone: undefined, choice: undefined });
      await reload();
    });

  useArrival(() => void reload());

  const isOpen = view.name === 'session' || view.name === 'changing-number';
  const expiresAt =
    isOpen && session !== undefined && session.step !== 'done' ? Date.parse(session.expiresAt) : undefined;
  const isExpired = useMoment(expiresAt, api.now);
  const isClosingSoon = useMoment(expiresAt && expiresAt - WARNING_TIME, api.now);
  useEffect(() => {
    if (isExpired) setView({ name: 'ended', reason: 'session_expired' });
  }, [isExpired]);

  const partner = partnerAfter(view, session, sessionId);
  return {
    session,
    offersPasskey: canOffer && session?.offersPasskey === true,
    stopOffering: () => setCanOffer(false),
    partner,
    words,
    view,
    isOpen,
    isClosingSoon,
    problem,
    setView,
    reload,
    explain,
    leave,
    deny,
    changeFan,
  };
}

/**
 * Whether an instant has passed; renders again when it does.
 * @param at milliseconds on the clock of `now`; undefined for never
 */
function useMoment(at: number | undefined, now: () => number): boolean {
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (at === undefined) return;
    const timer = setTimeout(() => setPassed(at), at - now());
    return () => clearTimeout(timer);
  }, [at, now]);
  return at !== undefined && passed === at;
}
