/** Shown while something loads; without a text while the language is not known. */
export function Waiting({ text }: { text?: string }) {
  return (
    <p role="status" class="waiting">
      <span class="spinner" aria-hidden="true" />
      {text}
    </p>
  );
}
