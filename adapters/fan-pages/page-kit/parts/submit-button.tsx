import type { ComponentChildren } from 'preact';

type Props = { busy: boolean; busyText: string; children: ComponentChildren };

/** The main button of a step. While busy it is not `disabled`, which would lose the focus; the form ignores repeats. */
export function SubmitButton({ busy, busyText, children }: Props) {
  return (
    <button type="submit" class="button primary" aria-disabled={busy}>
      {busy ? (
        <>
          <span class="spinner" aria-hidden="true" />
          {busyText}
        </>
      ) : (
        children
      )}
    </button>
  );
}
