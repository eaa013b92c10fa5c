import { useMemo, useState } from 'preact/hooks';
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';
import { Avatar } from '../parts/avatar.tsx';
import { useWords } from '../texts/words.ts';
import { toggled } from './action-list.tsx';
import { eventTime } from './event-time.ts';
import { type EventGroup, groupTickets, searchGroups } from './group-tickets.ts';
import { commonResale, describeResale } from './resale.ts';

/** From this many tickets on, a list is long on a phone: it can be searched, and each event begins folded. */
const LONG_FROM = 9;

type Chosen = ReadonlySet<string>;

type Props = { offered: readonly TicketOption[]; chosen: Chosen; onChange: (chosen: Chosen) => void };

/** The tickets by event, to tick one by one or all that are shown. Tickets that a search hides keep their state. */
export function TicketPicker({ offered, chosen, onChange }: Props) {
  const { texts, locale, format } = useWords();
  const words = texts.consent;
  const [query, setQuery] = useState('');
  const groups = useMemo(() => groupTickets(offered), [offered]);
  const found = searchGroups(groups, query, locale);
  const shown = found.flatMap((group) => group.rows.map((row) => row.id));
  const isAll = shown.every((id) => chosen.has(id));
  const isPart = shown.length < offered.length;
  const [selectText, deselectText] = isPart
    ? [words.selectFound, words.deselectFound]
    : [words.selectAll, words.selectNone];

  function toggleShown(): void {
    onChange(new Set(isAll ? [...chosen].filter((id) => !shown.includes(id)) : [...chosen, ...shown]));
  }

  return (
    <div class="tickets">
      {offered.length < LONG_FROM ? null : (
        <div class="field">
          <label for="search">{words.search}</label>
          <input
            id="search"
            type="search"
            autocomplete="off"
            enterKeyHint="search"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
            // Enter ends a search; it must not send the form.
            onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
          />
        </div>
      )}
      <div class="tally">
        <p role="status">{format(words.selectedCount, { selected: chosen.size, all: offered.length })}</p>
        {shown.length === 0 ? null : (
          <button type="button" class="link" onClick={toggleShown}>
            {isAll ? deselectText : selectText}
          </button>
        )}
      </div>
      <p role="status" class="none-found">
        {shown.length === 0 ? words.noneFound : null}
      </p>
      {found.map((group) => (
        <EventTickets
          key={group.key}
          group={group}
          isFolded={offered.length >= LONG_FROM}
          isPart={query.trim() !== ''}
          chosen={chosen}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

type EventProps = {
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
function EventTickets({ group, isFolded, isPart, chosen, onChange }: EventProps) {
  const words = useWords();
  const { texts, locale, format } = words;
  const { eventName, venue, timeZone, rows } = group;
  // said once where it is the same for all
  const common = commonResale(rows);
  const when = eventTime(group, locale);
  const ticked = rows.filter(({ id }) => chosen.has(id)).length;
  // a partly ticked event is unfolded: its own box can't show which tickets are ticked
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
          {common === null ? null : <small>{describeResale(common, timeZone, words)}</small>}
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
                {row.resale === null || common !== null ? null : (
                  <small>{describeResale(row.resale, timeZone, words)}</small>
                )}
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
