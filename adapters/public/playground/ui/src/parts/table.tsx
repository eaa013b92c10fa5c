import type { ComponentChildren } from 'preact';

type ScrollBoxProps = { label: string; children: ComponentChildren; class?: string };

/** An area that scrolls by itself, also by keyboard. */
export function ScrollBox({ label, children, class: className = 'scroll' }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

type TableProps = {
  /** For screen readers. */
  label: string;
  caption?: ComponentChildren;
  /** Headers; none where the rows say what they are. */
  columns?: readonly string[];
  class?: string;
  /** The rows. */
  children: ComponentChildren;
};

/** A table that scrolls sideways by itself where it is too wide. */
export function Table({ label, caption, columns = [], class: className, children }: TableProps) {
  return (
    <ScrollBox label={label}>
      <table class={className}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        {columns.length === 0 ? null : (
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  );
}

/** A row of a name, a value and what it is. */
export function Member({ name, value, note }: { name: string; value: ComponentChildren; note?: string | undefined }) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td class="id" colSpan={note === undefined ? 2 : 1}>
        {value}
      </td>
      {note === undefined ? null : <td>{note}</td>}
    </tr>
  );
}

/** What an instruction may do with an account. */
export function rightsOf({ signer, writable }: { signer: boolean; writable: boolean }): string {
  return [signer && 'signer', writable && 'writable'].filter(Boolean).join(', ') || 'read';
}
