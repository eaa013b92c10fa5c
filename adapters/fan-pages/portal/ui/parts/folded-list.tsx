import type { ComponentChildren } from 'preact';

/** How many entries are shown; the rest are folded. */
const MOST_IN_SIGHT = 5;

type Props<Item> = {
  look: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  render: (item: Item) => ComponentChildren;
  /** Text of the button that shows the rest. @param left how many entries that is */
  more: (left: number) => string;
};

export function FoldedList<Item>({ look, items, keyOf, render, more }: Props<Item>) {
  const list = (shown: readonly Item[]) => (
    <ul class={look}>
      {shown.map((item) => (
        <li key={keyOf(item)}>{render(item)}</li>
      ))}
    </ul>
  );
  const rest = items.slice(MOST_IN_SIGHT);
  return (
    <>
      {list(items.slice(0, MOST_IN_SIGHT))}
      {rest.length === 0 ? null : (
        <details class="folded">
          <summary>{more(rest.length)}</summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}
