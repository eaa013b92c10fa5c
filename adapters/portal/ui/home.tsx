import { useState } from 'preact/hooks';
import type { Failure } from '../../page-kit/failure.ts';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { Waiting } from '../../page-kit/parts/waiting.tsx';
import type { AppAccess, OpenVisit, PortalApi } from './api.ts';
import { AppCard } from './parts/app-card.tsx';
import { ConfirmDialog } from './parts/confirm-dialog.tsx';
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
  const { portal } = usePortalWords();
  const [isAsking, setAsking] = useState(false);
  const { access, problem, notice, change, showOlder } = useAccess(api, explain);

  return (
    <>
      <div class="lead">
        <h1 tabIndex={-1}>{portal.title}</h1>
        <p>{portal.detail}</p>
        <p class="who-is-in">
          {portal.signedInAs}{' '}
          <bdi class="number" dir="ltr">
            {visit.phone}
          </bdi>
          <button type="button" class="link" onClick={() => void onSignOut()}>
            {portal.signOut}
          </button>
        </p>
      </div>
      <p role="status" class="notice">
        {notice}
      </p>
      <Alert message={problem} />
      {access === undefined ? (
        <Waiting text={portal.busy} />
      ) : (
        <>
          <Apps apps={access.apps} api={api} change={change} />
          {access.apps.length > 1 ? (
            <button type="button" class="button danger" onClick={() => setAsking(true)}>
              {portal.endAll}
            </button>
          ) : null}
          <HistoryList entries={access.entries} onOlder={access.before === null ? undefined : showOlder} />
        </>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={portal.endAllTitle}
          detail={portal.endAllDetail}
          confirm={portal.endAll}
          onConfirm={() => change(api.revokeAll, portal.endedAll)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function Apps({ apps, api, change }: { apps: AppAccess[]; api: PortalApi; change: Change }) {
  const { portal } = usePortalWords();
  if (apps.length === 0) {
    return (
      <div class="app">
        <h2>{portal.none.title}</h2>
        <p class="nothing">{portal.none.detail}</p>
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
