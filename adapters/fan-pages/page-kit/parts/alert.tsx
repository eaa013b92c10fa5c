/** A message that screen readers announce. The region is always there: one added together with its text is often missed. */
export function Alert({ id, message }: { id?: string; message: string | undefined }) {
  return (
    <div id={id} role="alert" class="alert">
      {message === undefined ? null : <p>{message}</p>}
    </div>
  );
}
