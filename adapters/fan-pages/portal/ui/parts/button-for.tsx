type Props = { subject: string; text: string; look?: string; isBusy?: boolean; onClick: () => void };

/** A button whose accessible name says what it is for: every card has the same ones. A busy one keeps the focus. */
export function ButtonFor({ subject, text, look = 'link', isBusy = false, onClick }: Props) {
  return (
    <button
      type="button"
      class={look}
      aria-label={`${text}: ${subject}`}
      aria-disabled={isBusy}
      onClick={() => (isBusy ? undefined : onClick())}
    >
      {text}
    </button>
  );
}
