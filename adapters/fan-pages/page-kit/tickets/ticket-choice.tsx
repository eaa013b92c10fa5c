import type { ComponentChildren } from 'preact';
import type { GrantMode } from '../../../../src/entities/consent-grant.ts';
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';
import { Choice } from '../parts/choice.tsx';
import { useWords } from '../texts/words.ts';
import { TicketPicker } from './ticket-picker.tsx';

type Props = {
  offered: readonly TicketOption[];
  mode: GrantMode;
  /** Ids of tickets. */
  chosen: ReadonlySet<string>;
  onMode: (mode: GrantMode) => void;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** Content after the choice. A pinned part of it appears only below the choice, so everybody sees the choice first. */
  children?: ComponentChildren;
};

/** All tickets, future ones included, or each one by itself. */
export function TicketChoice({ offered, mode, chosen, onMode, onChange, children }: Props) {
  const { texts, format } = useWords();
  const words = texts.consent;
  const modes = [
    {
      value: 'all_current_future',
      title: words.all,
      detail: format(words.allDetail, { tickets: offered.length }),
      disabled: false,
    },
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
      {mode === 'selected' || children ? (
        <div class="tickets">
          {mode === 'selected' ? <TicketPicker offered={offered} chosen={chosen} onChange={onChange} /> : null}
          {children}
        </div>
      ) : null}
    </>
  );
}
