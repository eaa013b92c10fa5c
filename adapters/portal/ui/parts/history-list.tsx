import type { HistoryEntry } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import { describeEntry } from './describe-entry.ts';

type Props = { entries: readonly HistoryEntry[]; onOlder: (() => Promise<void>) | undefined };

/** What was done in the fan's name, in plain sentences, the newest first. */
export function HistoryList({ entries, onOlder }: Props) {
  const words = usePortalWords();
  const { portal, locale } = words;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="history" aria-labelledby="history">
      <h2 id="history">{portal.history.title}</h2>
      {entries.length === 0 ? <p>{portal.history.empty}</p> : null}
      <ol>
        {entries.map((entry, index) => (
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
      {onOlder === undefined ? null : (
        <button type="button" class="button" onClick={() => void onOlder()}>
          {portal.history.older}
        </button>
      )}
    </section>
  );
}
