import type { HistoryEntry } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { tellEntry } from './tell-entry.ts';

type Props = { entries: readonly HistoryEntry[]; onOlder: (() => Promise<void>) | undefined };

/** What was done in the fan's name, in plain sentences, the newest first. */
export function HistoryList({ entries, onOlder }: Props) {
  const { texts, shared } = usePortalWords();
  const date = new Intl.DateTimeFormat(shared.locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="history" aria-labelledby="history">
      <h2 id="history">{texts.history.title}</h2>
      {entries.length === 0 ? <p>{texts.history.empty}</p> : null}
      <ol>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own, and several share a moment
          <li key={`${entry.at} ${index}`} class={entry.fact.kind === 'refused' ? 'refused' : undefined}>
            <time dateTime={entry.at}>{date.format(new Date(entry.at))}</time>
            <p>{tellEntry(entry, texts, shared.texts)}</p>
            {entry.fact.kind === 'listing_signed' ? (
              <details>
                <summary>{texts.history.signed}</summary>
                <p lang="en">{entry.fact.sentence}</p>
              </details>
            ) : null}
          </li>
        ))}
      </ol>
      {onOlder === undefined ? null : (
        <button type="button" class="button" onClick={() => void onOlder()}>
          {texts.history.older}
        </button>
      )}
    </section>
  );
}
