import type { ComponentChildren } from 'preact';

/** Entries in sight; the further ones are folded. */
const MOST_IN_SIGHT = 5;

type Props<Item> = {
  look: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  render: (item: Item) => ComponentChildren;
  /** What opens the rest. @param left how many those are */
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
