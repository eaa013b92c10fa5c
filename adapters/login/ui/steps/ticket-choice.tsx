import type { Grant, TicketOption } from '../api.ts';
import { usableLanguages } from '../languages.ts';
import { Choice } from '../parts/choice.tsx';
import { initialsOf } from '../parts/initials.ts';
import { texts } from '../texts.ts';
import { toggled } from './action-list.tsx';
import { type EventGroup, groupTickets, type TicketRow } from './group-tickets.ts';

/** Dates as the fan's own variety of English writes them; the page has no other language yet. */
const language = usableLanguages(navigator.languages).find((tag) => tag.startsWith('en')) ?? 'en';
const dateFormat = new Intl.DateTimeFormat(language, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

type Chosen = ReadonlySet<string>;

type Props = {
  offered: readonly TicketOption[];
  mode: Grant['mode'];
  chosen: Chosen;
  onMode: (mode: Grant['mode']) => void;
  onChange: (chosen: Chosen) => void;
};

export function TicketChoice({ offered, mode, chosen, onMode, onChange }: Props) {
  const words = texts.consent;
  const modes = [
    { value: 'all_current_future', title: words.all, detail: words.allDetail(offered.length), disabled: false },
    {
      value: 'selected',
      title: words.selected,
      detail: offered.length === 0 ? words.noneToSelect : words.selectedDetail,
      disabled: offered.length === 0,
    },
  ] as const;
  return (
    <>
      <fieldset class="choices">
        <legend>{words.tickets}</legend>
        {modes.map(({ value, title, detail, disabled }) => (
          <Choice
            key={value}
            id={value}
            title={title}
            detail={detail}
            type="radio"
            name="mode"
            checked={mode === value}
            disabled={disabled}
            onChange={() => onMode(value)}
          />
        ))}
      </fieldset>
      {mode === 'selected' ? <TicketPicker offered={offered} chosen={chosen} onChange={onChange} /> : null}
    </>
  );
}

function TicketPicker({ offered, chosen, onChange }: Pick<Props, 'offered' | 'chosen' | 'onChange'>) {
  const isAll = chosen.size === offered.length;
  return (
    <div class="tickets">
      <div class="tally">
        <p role="status">{texts.consent.selectedCount(chosen.size, offered.length)}</p>
        <button
          type="button"
          class="link"
          onClick={() => onChange(new Set(isAll ? [] : offered.map((ticket) => ticket.id)))}
        >
          {isAll ? texts.consent.selectNone : texts.consent.selectAll}
        </button>
      </div>
      {groupTickets(offered).map((group) => (
        <EventTickets key={group.key} group={group} chosen={chosen} onChange={onChange} />
      ))}
    </div>
  );
}

type EventProps = { group: EventGroup } & Pick<Props, 'chosen' | 'onChange'>;

function EventTickets({ group, chosen, onChange }: EventProps) {
  const when = dateFormat.format(new Date(group.startsAt));
  return (
    <fieldset class="event">
      <legend>
        <span class="avatar" aria-hidden="true">
          {initialsOf(group.eventName)}
        </span>
        <span>
          <strong>{group.eventName}</strong>
          <small>{group.venue === null ? when : `${when} · ${group.venue}`}</small>
        </span>
      </legend>
      {group.rows.map((row) => (
        <label key={row.id} class="ticket">
          <input type="checkbox" checked={chosen.has(row.id)} onChange={() => onChange(toggled(chosen, row.id))} />
          <TicketLabel row={row} />
        </label>
      ))}
    </fieldset>
  );
}

function TicketLabel({ row }: { row: TicketRow }) {
  return (
    <span>
      {row.ticketTypeName}
      {row.ofType > 1 ? <small>{texts.consent.ticketNumber(row.position, row.ofType)}</small> : null}
    </span>
  );
}
