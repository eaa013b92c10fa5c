/** The whole portal: signing in, then what the fan has allowed. The server knows where the fan stands. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Failure, isEnding, readFailure } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { SandboxBanner } from '../../page-kit/parts/sandbox-banner.tsx';
import { Stranded } from '../../page-kit/parts/stranded.tsx';
import { TryAgain } from '../../page-kit/parts/try-again.tsx';
import { WordsContext } from '../../page-kit/texts/words-context.ts';
import { useFocusOnChange } from '../../page-kit/use-focus-on-change.ts';
import type { PortalApi, Visit } from './api.ts';
import { Home } from './home.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { loadPortalWords, type PortalWords, PortalWordsContext } from './texts/portal-words.ts';

type View =
  | { name: 'loading' }
  | { name: 'stranded' }
  | { name: 'failed'; failure: Failure }
  | { name: 'visit'; visit: Visit };

export function App({ api }: { api: PortalApi }) {
  const [words, setWords] = useState<PortalWords>();
  const [view, setView] = useState<View>({ name: 'loading' });
  const [notice, setNotice] = useState('');

  /** @returns the visit as the server has it now; undefined where it could not be asked */
  async function reload(): Promise<Visit | undefined> {
    try {
      const visit = await api.visit();
      setView({ name: 'visit', visit });
      return visit;
    } catch (error) {
      setView({ name: 'failed', failure: readFailure(error) });
      return undefined;
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival, and when the browser brings a kept page back
  useEffect(() => {
    loadPortalWords().then(setWords, () => setView({ name: 'stranded' }));
    void reload();
    const onReturn = (event: PageTransitionEvent) => (event.persisted ? void reload() : undefined);
    addEventListener('pageshow', onReturn);
    return () => removeEventListener('pageshow', onReturn);
  }, []);
  useEffect(() => {
    if (words === undefined) return;
    document.documentElement.lang = words.shared.locale;
    document.documentElement.dir = words.shared.texts.direction;
    document.title = words.texts.title;
  }, [words]);
  useFocusOnChange(view.name === 'visit' ? view.visit.step : view.name);

  if (view.name === 'stranded') return <Stranded />;
  if (words === undefined || view.name === 'loading') return <Waiting />;
  const { texts, shared } = words;

  /** Something that the server refused: a visit that is over begins anew, anything else is told where it happened. */
  function explain({ reason, retryAfter }: Failure): string | undefined {
    // another tab was faster
    if (reason === 'wrong_step') void reload();
    if (!isEnding(reason)) return shared.texts.failures[reason](retryAfter);
    setNotice(reason === 'session_not_found' ? texts.away : shared.texts.ended[reason].title);
    void reload();
    return undefined;
  }

  async function signOut(): Promise<void> {
    await api.signOut().catch(() => undefined);
    setNotice(texts.signedOut);
    await reload();
  }

  function frame(children: ComponentChildren, isOpen = false) {
    return (
      <PortalWordsContext value={words}>
        <WordsContext value={shared}>
          <header>
            {view.name === 'visit' && view.visit.step === 'open' && view.visit.mode === 'sandbox' ? (
              <SandboxBanner {...shared.texts.sandbox} />
            ) : null}
          </header>
          <main class={isOpen ? 'portal' : 'card narrow'}>
            {isOpen ? children : <div class="panel">{children}</div>}
          </main>
        </WordsContext>
      </PortalWordsContext>
    );
  }

  if (view.name === 'failed') {
    const { reason, retryAfter } = view.failure;
    return frame(
      <>
        <h1 tabIndex={-1}>{texts.failed}</h1>
        <TryAgain
          problem={isEnding(reason) ? undefined : shared.texts.failures[reason](retryAfter)}
          onRetry={() => void reload()}
        />
      </>,
    );
  }
  const { visit } = view;
  if (visit.step === 'open') return frame(<Home api={api} visit={visit} explain={explain} onSignOut={signOut} />, true);
  return frame(
    <>
      <SignIn api={api} visit={visit} reload={reload} explain={explain} onProgress={() => setNotice('')} />
      <Alert message={notice === '' ? undefined : notice} />
    </>,
  );
}

/** Nothing to do but wait, without words as long as the language is not known. */
function Waiting() {
  return (
    <p role="status" class="waiting">
      <span class="spinner" aria-hidden="true" />
    </p>
  );
}
