import { useMemo, useState } from 'preact/hooks';
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';
import { useWords } from '../texts/words.ts';
import { EventTickets } from './event-tickets.tsx';
import { groupTickets } from './group-tickets.ts';
import { searchGroups } from './search-groups.ts';

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
