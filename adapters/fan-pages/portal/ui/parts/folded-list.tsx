import type { ComponentChildren } from 'preact';

type Props<Item> = {
  look: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  render: (item: Item) => ComponentChildren;
  /** Text of the button that shows the rest. @param left how many entries that is */
  more: (left: number) => string;
  /** How many entries are shown; the rest are folded. */
  most?: number;
};

export function FoldedList<Item>({ look, items, keyOf, render, more, most = 5 }: Props<Item>) {
  const list = (shown: readonly Item[]) => (
    <ul class={look}>
      {shown.map((item) => (
        <li key={keyOf(item)}>{render(item)}</li>
      ))}
    </ul>
  );
  const rest = items.slice(most);
  return (
    <>
      {list(items.slice(0, most))}
      {rest.length === 0 ? null : (
        <details class="folded">
          <summary>{more(rest.length)}</summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}
