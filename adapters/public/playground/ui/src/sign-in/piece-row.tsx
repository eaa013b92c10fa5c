import type { ComponentChildren } from 'preact';
import { CHOICES, PIECES, type Piece, type PieceName } from './authorize-url.ts';

type Props = {
  name: PieceName;
  piece: Piece;
  onChange: (piece: Piece) => void;
  /** Buttons beside the field. */
  children?: ComponentChildren;
};

/** One parameter: whether it is sent, its value, and what it means. Any value is allowed. */
export function PieceRow({ name, piece, onChange, children }: Props) {
  const choices = CHOICES[name];
  return (
    <div class={piece.sent ? 'piece' : 'piece unsent'}>
      <label class="piece-name">
        <input
          type="checkbox"
          aria-label={`Send ${name}`}
          checked={piece.sent}
          onChange={() => onChange({ ...piece, sent: !piece.sent })}
        />
        <code>{name}</code>
      </label>
      <div class="piece-value">
        <input
          type="text"
          id={`piece-${name}`}
          aria-label={name}
          aria-describedby={`meaning-${name}`}
          list={choices && `choices-${name}`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={piece.value}
          onInput={({ currentTarget }) => onChange({ sent: true, value: currentTarget.value })}
        />
        {choices === undefined ? null : (
          <datalist id={`choices-${name}`}>
            {choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        )}
        {children}
      </div>
      <p id={`meaning-${name}`} class="hint">
        {PIECES[name]}
      </p>
    </div>
  );
}
