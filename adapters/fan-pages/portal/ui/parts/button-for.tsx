type Props = { subject: string; text: string; look?: string; onClick: () => void };

/** A button whose accessible name says what it is for: every card has the same ones. */
export function ButtonFor({ subject, text, look = 'link', onClick }: Props) {
  return (
    <button type="button" class={look} aria-label={`${text}: ${subject}`} onClick={onClick}>
      {text}
    </button>
  );
}
