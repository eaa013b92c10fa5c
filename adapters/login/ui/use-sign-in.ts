/** What the page knows of the sign-in and of what it shows. The server knows the step; a reload asks it again. */
import { useEffect, useState } from 'preact/hooks';
import { type EndingReason, type Failure, isEnding, readFailure } from '../../page-kit/failure.ts';
import { loadWords, type Words } from '../../page-kit/texts/load-words.ts';
import type { LoginApi, Session } from './api.ts';
import { type KeptPartner, keep, recall } from './kept-in-tab.ts';
import { useMoment } from './use-moment.ts';

export type View =
  | { name: 'loading' | 'session' | 'changing-number' | 'leaving' | 'stranded' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ended'; reason: EndingReason };

/** A fan is told this many milliseconds before the sign-in closes. @see WCAG 2.2 §2.2.1 */
const WARNING_TIME = 60_000;

/** Whose sign-in this tab has seen. Not for a session of another browser: that link may come from anybody. */
function partnerAfter(view: View, session: Session | undefined, sessionId: string): KeptPartner | undefined {
  if (session !== undefined) return session;
  const isOurs = view.name === 'failed' || (view.name === 'ended' && view.reason !== 'session_elsewhere');
  return isOurs ? recall(sessionId).partner : undefined;
}

export function useSignIn(api: LoginApi, sessionId: string) {
  const [session, setSession] = useState<Session>();
  const [words, setWords] = useState<Words>();
  const [view, setView] = useState<View>({ name: 'loading' });
  const [cancelProblem, setCancelProblem] = useState<string>();

  async function reload(): Promise<Session | undefined> {
    // Begun before the answer tells which language the partner wants: most often it is this one.
    const likely = loadWords(recall(sessionId).partner?.uiLocales);
    likely.catch(() => undefined);
    const answer = await api.session().catch(readFailure);
    try {
      setWords(await ('reason' in answer ? likely : loadWords(answer.uiLocales)));
    } catch {
      setView({ name: 'stranded' });
      return undefined;
    }
    if ('reason' in answer) {
      const { reason } = answer;
      setView(isEnding(reason) ? { name: 'ended', reason } : { name: 'failed', failure: answer });
      return undefined;
    }
    const { clientName, logo, mode, uiLocales, returnTo } = answer;
    keep(sessionId, { partner: { clientName, logo, mode, uiLocales, returnTo } });
    setSession(answer);
    setView({ name: 'session' });
    return answer;
  }

  /** The text for a failure, or nothing where the whole page changes because of it. */
  function explain(failure: Failure): string | undefined {
    const { reason, retryAfter } = failure;
    if (isEnding(reason)) {
      setView({ name: 'ended', reason });
      return undefined;
    }
    if (reason === 'wrong_step') void reload();
    return words?.texts.failures[reason](retryAfter);
  }

  function leave(redirectTo: string): void {
    keep(sessionId, { draft: undefined, phone: undefined, choice: undefined });
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival, and when the browser brings a kept page back
  useEffect(() => {
    void reload();
    const onReturn = (event: PageTransitionEvent) => (event.persisted ? void reload() : undefined);
    addEventListener('pageshow', onReturn);
    return () => removeEventListener('pageshow', onReturn);
  }, []);

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
    partner,
    words,
    view,
    isOpen,
    isClosingSoon,
    cancelProblem,
    setSession,
    setView,
    reload,
    explain,
    leave,
    deny,
  };
}
