import { useState } from 'preact/hooks';
import { Avatar } from '../parts/avatar.tsx';
import { useWords } from '../texts/words.ts';
import { toggled } from './action-list.tsx';
import { eventTime } from './event-time.ts';
import type { EventGroup } from './group-tickets.ts';

type Props = {
  group: EventGroup;
  /** Whether its tickets are out of sight until they are asked for. */
  isFolded: boolean;
  /** Whether these are only the tickets that a search found. */
  isPart: boolean;
  /** Ids of tickets, of other events too. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** The tickets of an event, to tick one by one or all of them. */
export function EventTickets({ group, isFolded, isPart, chosen, onChange }: Props) {
  const { texts, locale, format } = useWords();
  const { eventName, venue, rows } = group;
  const when = eventTime(group, locale);
  const ticked = rows.filter(({ id }) => chosen.has(id)).length;
  // what is ticked in part is shown: the box of the event can't say which
  const [isUnfolded, setUnfolded] = useState(ticked > 0 && ticked < rows.length);
  const isSingle = rows.length === 1;
  const isShown = isSingle || isPart || !isFolded || isUnfolded;
  return (
    <fieldset class="event">
      <legend>
        <Avatar name={eventName} />
        <span>
          <strong>
            <bdi>{eventName}</bdi>
          </strong>
          <small>
            {when}
            {venue === null ? null : (
              <>
                {' · '}
                <bdi>{venue}</bdi>
              </>
            )}
          </small>
        </span>
      </legend>
      {isSingle || isPart ? null : (
        <div class="whole">
          <label class="ticket">
            <input
              type="checkbox"
              checked={ticked === rows.length}
              indeterminate={ticked > 0 && ticked < rows.length}
              onChange={() => onChange(withAll(chosen, group, ticked < rows.length))}
            />
            <span>
              <strong>{texts.consent.wholeEvent}</strong>
              <small>{format(texts.consent.selectedCount, { selected: ticked, all: rows.length })}</small>
            </span>
          </label>
          {isFolded ? (
            <button
              type="button"
              class="link"
              aria-expanded={isShown}
              aria-label={`${isShown ? texts.consent.fold : texts.consent.unfold}: ${eventName}`}
              onClick={() => setUnfolded(!isShown)}
            >
              {isShown ? texts.consent.fold : texts.consent.unfold}
            </button>
          ) : null}
        </div>
      )}
      {isShown
        ? rows.map((row) => (
            <label key={row.id} class={isSingle || isPart ? 'ticket' : 'ticket inner'}>
              <input type="checkbox" checked={chosen.has(row.id)} onChange={() => onChange(toggled(chosen, row.id))} />
              <span>
                <bdi>{row.ticketTypeName}</bdi>
                {row.ofType > 1 ? (
                  <small>{format(texts.consent.ticketNumber, { position: row.position, all: row.ofType })}</small>
                ) : null}
              </span>
            </label>
          ))
        : null}
    </fieldset>
  );
}

/** The chosen tickets with all of an event, or without them. */
function withAll(chosen: ReadonlySet<string>, { rows }: EventGroup, isWanted: boolean): ReadonlySet<string> {
  const ofEvent = rows.map(({ id }) => id);
  return new Set(isWanted ? [...chosen, ...ofEvent] : [...chosen].filter((id) => !ofEvent.includes(id)));
}
