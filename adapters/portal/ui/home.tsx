import { useState } from 'preact/hooks';
import type { Failure } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import type { AppAccess, OpenVisit, PortalApi } from './api.ts';
import { AppCard } from './parts/app-card.tsx';
import { AskFirst } from './parts/ask-first.tsx';
import { HistoryList } from './parts/history-list.tsx';
import { usePortalWords } from './texts/portal-words.ts';
import { type Change, useAccess } from './use-access.ts';

type Props = {
  api: PortalApi;
  visit: OpenVisit;
  explain: (failure: Failure) => string | undefined;
  onSignOut: () => Promise<void>;
};

/** The fan's apps and history. */
export function Home({ api, visit, explain, onSignOut }: Props) {
  const { texts } = usePortalWords();
  const [isAsking, setAsking] = useState(false);
  const { told, problem, notice, change, showOlder } = useAccess(api, explain);

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
