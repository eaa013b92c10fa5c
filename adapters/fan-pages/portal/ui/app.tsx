/** The whole portal: signing in, then what the fan has allowed, as the server says. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Failure, isEnding, readFailure } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { NoConnection } from '../../page-kit/parts/no-connection.tsx';
import { PageFooter } from '../../page-kit/parts/page-footer.tsx';
import { PageHeader } from '../../page-kit/parts/page-header.tsx';
import { TryAgain } from '../../page-kit/parts/try-again.tsx';
import { Waiting } from '../../page-kit/parts/waiting.tsx';
import { WordsContext } from '../../page-kit/texts/words.ts';
import { useArrival, useDocumentLanguage, useFocusOnChange } from '../../page-kit/use-page.ts';
import type { PortalApi, Visit } from './api.ts';
import { ChangeNumber } from './change-number.tsx';
import { Home } from './home.tsx';
import { SignIn } from './sign-in.tsx';
import { loadPortalWords, type PortalWords, PortalWordsContext } from './texts/portal-words.ts';

type View =
  | { name: 'loading' }
  | { name: 'no-connection' }
  | { name: 'failed'; failure: Failure }
  | { name: 'visit'; visit: Visit };

export function App({ api }: { api: PortalApi }) {
  const [words, setWords] = useState<PortalWords>();
  const [view, setView] = useState<View>({ name: 'loading' });
  const [notice, setNotice] = useState('');
  const [isChanging, setChanging] = useState(false);

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

  useEffect(() => {
    loadPortalWords().then(setWords, () => setView({ name: 'no-connection' }));
  }, []);
  useArrival(() => void reload());
  useDocumentLanguage(words);
  useEffect(() => {
    if (words !== undefined) document.title = words.portal.title;
  }, [words]);
  useFocusOnChange(view.name === 'visit' ? (isChanging ? 'changing' : view.visit.step) : view.name);

  if (view.name === 'no-connection') return <NoConnection />;
  if (words === undefined || view.name === 'loading') return <Waiting />;
  const { portal, texts, explainFailure } = words;

  /** Signs in again after a visit that has ended; any other failure is explained where it happened. */
  function explain(failure: Failure): string | undefined {
    const { reason } = failure;
    // another tab was faster
    if (reason === 'wrong_step') void reload();
    if (isEnding(reason)) {
      setChanging(false);
      setNotice(reason === 'session_not_found' ? portal.away : texts.ended[reason].title);
      void reload();
    }
    return explainFailure(failure);
  }

  async function signOut(): Promise<void> {
    await api.signOut().catch(() => undefined);
    setNotice(portal.signedOut);
    await reload();
  }

  function frame(children: ComponentChildren, isOpen = false) {
    return (
      <PortalWordsContext value={words}>
        <WordsContext value={words}>
          <PageHeader
            isSandbox={view.name === 'visit' && view.visit.step === 'open' && view.visit.mode === 'sandbox'}
          />
          <main class={isOpen ? 'portal' : 'card narrow'}>
            {isOpen ? children : <div class="panel">{children}</div>}
          </main>
          <PageFooter />
        </WordsContext>
      </PortalWordsContext>
    );
  }

  if (view.name === 'failed') {
    return frame(
      <>
        <h1 tabIndex={-1}>{portal.failed}</h1>
        <TryAgain problem={explainFailure(view.failure)} onRetry={() => void reload()} />
      </>,
    );
  }
  const { visit } = view;
  if (visit.step === 'open' && isChanging) {
    return frame(
      <ChangeNumber
        api={api}
        explain={explain}
        onChanged={() => {
          setChanging(false);
          setNotice(portal.newNumber.changed);
          void reload();
        }}
        onCancel={() => setChanging(false)}
      />,
    );
  }
  if (visit.step === 'open') {
    return frame(
      <>
        <p role="status" class="notice">
          {notice}
        </p>
        <Home
          api={api}
          visit={visit}
          explain={explain}
          onSignOut={signOut}
          onChangeNumber={() => {
            setNotice('');
            setChanging(true);
          }}
        />
      </>,
      true,
    );
  }
  return frame(
    <>
      <SignIn api={api} visit={visit} reload={reload} explain={explain} onProgress={() => setNotice('')} />
      <Alert message={notice === '' ? undefined : notice} />
    </>,
  );
}
