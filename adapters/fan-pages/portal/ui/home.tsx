import { useState } from 'preact/hooks';
import { Alert } from '../../page-kit/parts/alert.tsx';
import { Waiting } from '../../page-kit/parts/waiting.tsx';
import type { Explain } from '../../page-kit/use-work.ts';
import type { AppAccess, HistoryEntry, OpenVisit, PortalApi } from './api.ts';
import { AppCard } from './parts/app-card.tsx';
import { ConfirmDialog } from './parts/confirm-dialog.tsx';
import { describeEntry } from './parts/describe-entry.ts';
import { OwnData } from './parts/own-data.tsx';
import { OwnTickets } from './parts/own-tickets.tsx';
import { SignInSettings } from './parts/sign-in-settings.tsx';
import { Toast } from './parts/toast.tsx';
import { usePortalWords } from './texts/portal-words.ts';
import { useAccess } from './use-access.ts';
import { type Controls, useSales } from './use-sales.ts';

/** More apps than these are rows that open in place. */
const MOST_OPEN = 3;

type Props = {
  api: PortalApi;
  visit: OpenVisit;
  explain: Explain;
  onSignOut: () => Promise<void>;
  onChangeNumber: () => void;
};

/** The fan's tickets, apps and history. */
export function Home({ api, visit, explain, onSignOut, onChangeNumber }: Props) {
  const { portal } = usePortalWords();
  const reading = useAccess(api, explain);
  const { access, problem, notice, change, showOlder, closeNotice } = reading;
  const { sales, takeAway, takeOff, question } = useSales(api, explain, reading);

  function endAll(apps: AppAccess[]): void {
    void takeAway({
      grantIds: apps.flatMap((app) => app.access.flatMap(({ grantIds }) => grantIds)),
      title: portal.endAllTitle,
      detail: portal.endAllDetail,
      confirm: portal.endAll,
      work: api.revokeAll,
      done: () => ({ text: portal.endedAll }),
    });
  }

  return (
    <>
      <div class="lead">
        <h1 tabIndex={-1}>{portal.title}</h1>
        <p>{portal.detail}</p>
        <p class="who-is-in">
          {portal.signedInAs}{' '}
          <bdi class="number" dir="ltr">
            {visit.phone ?? portal.signIn.byPasskey}
          </bdi>
          <button type="button" class="link" onClick={() => void onSignOut()}>
            {portal.signOut}
          </button>
        </p>
      </div>
      <Alert message={problem} />
      {access === undefined ? (
        <Waiting text={portal.busy} />
      ) : (
        <>
          {access.tickets.length === 0 ? null : (
            <OwnTickets
              tickets={access.tickets}
              sales={sales}
              isFolded={access.apps.length > MOST_OPEN}
              onTakeOff={takeOff}
            />
          )}
          {access.apps.length > 1 ? (
            <button type="button" class="button danger end-all" onClick={() => endAll(access.apps)}>
              {portal.endAll}
            </button>
          ) : null}
          <Apps apps={access.apps} api={api} change={change} takeAway={takeAway} />
          <SignInSettings
            api={api}
            visit={visit}
            explain={explain}
            onChangeNumber={onChangeNumber}
            onSignOut={onSignOut}
          />
          <OwnData
            isFolded={access.apps.length > MOST_OPEN}
            api={api}
            visit={visit}
            explain={explain}
            onSignOut={onSignOut}
          />
          <HistoryList
            entries={access.entries}
            most={access.apps.length > MOST_OPEN ? MOST_ON_LONG_PAGE : MOST_AT_FIRST}
            onOlder={access.before === null ? undefined : showOlder}
          />
        </>
      )}
      {question === undefined ? null : <ConfirmDialog {...question} />}
      <Toast notice={notice} change={change} onClose={closeNotice} />
    </>
  );
}

function Apps({ apps, ...controls }: Controls & { apps: AppAccess[] }) {
  const { portal } = usePortalWords();
  const [editing, setEditing] = useState<string>();
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
        <li key={app.clientId}>
          <AppCard {...controls} app={app} isRow={apps.length > MOST_OPEN} editing={editing} onEdit={setEditing} />
        </li>
      ))}
    </ul>
  );
}

type HistoryListProps = {
  entries: readonly HistoryEntry[];
  /** Shown at first. */
  most: number;
  onOlder: (() => Promise<void>) | undefined;
};

/** The history does not make the page long. */
const MOST_AT_FIRST = 5;
const MOST_ON_LONG_PAGE = 3;

/** What was done in the fan's name, in plain sentences, the newest first. */
function HistoryList({ entries, most, onOlder }: HistoryListProps) {
  const words = usePortalWords();
  const { portal, locale } = words;
  const [isShort, setShort] = useState(true);
  const isCut = isShort && entries.length > most;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="history" aria-labelledby="history">
      <h2 id="history">{portal.history.title}</h2>
      {entries.length === 0 ? <p>{portal.history.empty}</p> : null}
      <ol>
        {(isShort ? entries.slice(0, most) : entries).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and several share a time
          <li key={`${entry.at} ${index}`} class={entry.fact.kind === 'refused' ? 'refused' : undefined}>
            <time dateTime={entry.at}>{date.format(new Date(entry.at))}</time>
            <p>{describeEntry(entry, words)}</p>
            {entry.fact.kind === 'listing_signed' ? (
              <details>
                <summary>{portal.history.signed}</summary>
                <p lang="en">{entry.fact.sentence}</p>
              </details>
            ) : null}
          </li>
        ))}
      </ol>
      {isCut || onOlder !== undefined ? (
        <button type="button" class="button" onClick={() => (isCut ? setShort(false) : void onOlder?.())}>
          {portal.history.older}
        </button>
      ) : null}
    </section>
  );
}
