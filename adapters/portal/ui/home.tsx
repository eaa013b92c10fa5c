import { useEffect, useState } from 'preact/hooks';
import { type Failure, readFailure } from '../../login/ui/failure.ts';
import { Alert } from '../../login/ui/parts/alert.tsx';
import type { AppAccess, HistoryEntry, OpenVisit, PortalApi } from './api.ts';
import { isGone } from './is-gone.ts';
import { AppCard } from './parts/app-card.tsx';
import { AskFirst } from './parts/ask-first.tsx';
import { HistoryList } from './parts/history-list.tsx';
import { usePortalWords } from './texts/portal-words.ts';

type Props = {
  api: PortalApi;
  visit: OpenVisit;
  explain: (failure: Failure) => string | undefined;
  onSignOut: () => Promise<void>;
};

/** What one change does and says: the call, then the words for when it went well. */
export type Change = (work: () => Promise<unknown>, done: string) => Promise<boolean>;

type Told = { apps: AppAccess[]; entries: HistoryEntry[]; before: string | null };

/** The fan's apps and history. Each change is made by the server; then both are read anew. */
export function Home({ api, visit, explain, onSignOut }: Props) {
  const { texts } = usePortalWords();
  const [told, setTold] = useState<Told>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState('');
  const [isAsking, setAsking] = useState(false);

  async function read(): Promise<void> {
    const [apps, page] = await Promise.all([api.apps(), api.history(null)]);
    setTold({ apps, ...page });
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(isGone(error) ? texts.gone : explain(readFailure(error)));
      return false;
    }
  }

  const change: Change = async (work, done) => {
    setNotice('');
    const isDone = await attempt(work);
    if (isDone && (await attempt(read))) setNotice(done);
    // what went wrong is not wiped away by a list that could be read
    if (!isDone) await read().catch(() => undefined);
    return isDone;
  };

  async function showOlder(): Promise<void> {
    if (told === undefined || told.before === null) return;
    const { before } = told;
    await attempt(async () => {
      const page = await api.history(before);
      setTold({ ...told, entries: [...told.entries, ...page.entries], before: page.before });
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    void attempt(read);
  }, []);

  return (
    <>
      <div class="lead">
        <h1 tabIndex={-1}>{texts.title}</h1>
        <p>{texts.detail}</p>
        <p class="who-is-in">
          {texts.signedInAs}{' '}
          <bdi class="number" dir="ltr">
            {visit.phone}
          </bdi>
          <button type="button" class="link" onClick={() => void onSignOut()}>
            {texts.signOut}
          </button>
        </p>
      </div>
      <p role="status" class="notice">
        {notice}
      </p>
      <Alert message={problem} />
      {told === undefined ? (
        <p role="status" class="waiting">
          <span class="spinner" aria-hidden="true" />
          {texts.busy}
        </p>
      ) : (
        <>
          <Apps apps={told.apps} api={api} change={change} />
          {told.apps.length > 1 ? (
            <button type="button" class="button danger" onClick={() => setAsking(true)}>
              {texts.endAll}
            </button>
          ) : null}
          <HistoryList entries={told.entries} onOlder={told.before === null ? undefined : showOlder} />
        </>
      )}
      {isAsking ? (
        <AskFirst
          title={texts.endAllTitle}
          detail={texts.endAllDetail}
          confirm={texts.endAll}
          onConfirm={() => change(api.revokeAll, texts.endedAll)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function Apps({ apps, api, change }: { apps: AppAccess[]; api: PortalApi; change: Change }) {
  const { texts } = usePortalWords();
  if (apps.length === 0) {
    return (
      <div class="app">
        <h2>{texts.none.title}</h2>
        <p class="nothing">{texts.none.detail}</p>
      </div>
    );
  }
  return (
    <ul class="apps">
      {apps.map((app) => (
        <li key={app.grantId}>
          <AppCard app={app} api={api} change={change} />
        </li>
      ))}
    </ul>
  );
}
