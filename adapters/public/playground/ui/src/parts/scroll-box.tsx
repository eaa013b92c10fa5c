import type { ComponentChildren } from 'preact';

type Props = { label: string; children: ComponentChildren; class?: string };

/** An area that scrolls by itself, also by keyboard. */
export function ScrollBox({ label, children, class: className = 'scroll' }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
