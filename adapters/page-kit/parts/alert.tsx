/**
 * A message that screen readers speak as soon as it appears. The region itself is always there: one that is added
 * together with its text is often not announced.
 */
export function Alert({ id, message }: { id?: string; message: string | undefined }) {
  return (
    <div id={id} role="alert" class="alert">
      {message === undefined ? null : <p>{message}</p>}
    </div>
  );
}
