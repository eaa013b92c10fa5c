import { Text, Title } from '@mantine/core';
import { inUtc } from '../../kit/parts/moment.tsx';
import { OutcomeMark } from '../../kit/requests/outcome-mark.tsx';
import { Particulars } from '../../kit/requests/particulars.tsx';
import { Told } from '../../kit/requests/told.tsx';
import { type EntryData, iconOf, KINDS } from './kinds.ts';
import { References } from './references.tsx';
import { RegisteredUris } from './registered-uris.tsx';

interface StoryProps {
  entries: readonly EntryData[];
  /** Identifiers that the timeline is of. */
  about: readonly string[];
}

/** The entries of a timeline, by day. */
export function Story({ entries, about }: StoryProps) {
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10));
  return (
    <div className="days">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={2} size="h3" id={`day-${day}`} className="day">
            {DAY.format(new Date(day))}
          </Title>
          <ol className="entries">
            {ofDay.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of entries does not change
              <Entry key={`${entry.at} ${index}`} entry={entry} about={about} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function Entry({ entry, about }: { entry: EntryData; about: readonly string[] }) {
  const { at, kind, title, outcome, message, fix, references, details } = entry;
  const isOk = outcome === 'ok';
  const { label } = KINDS[kind];
  const Icon = iconOf(entry);
  return (
    <li className="entry" data-kind={kind} data-refused={!isOk || undefined}>
      <span className="entry-icon" title={label}>
        <Icon size={16} stroke={1.7} aria-hidden />
        <span className="visually-hidden">{label}: </span>
      </span>
      <div className="entry-body">
        <Text size="sm" component="p">
          <span>{title}</span> {!isOk && <OutcomeMark outcome={outcome} />}
        </Text>
        <Told message={message} fix={fix} />
        <RegisteredUris of={entry} />
        <div className="entry-more">
          <References of={references} except={about} />
          <details>
            <summary>Details</summary>
            <Particulars of={details} />
          </details>
        </div>
      </div>
      <time dateTime={at} title={inUtc(at)}>
        {at.slice(11, 19)}
        <span className="split-second">{at.slice(19, 23)}</span>
      </time>
    </li>
  );
}
