import type { ComponentChildren } from 'preact';

type Props = { title: string; id?: string; children: ComponentChildren };

/** Heading and first sentence of a screen. The heading can take the focus when the screen replaces another. */
export function Lead({ title, id, children }: Props) {
  return (
    <div class="lead">
      <h1 tabIndex={-1}>{title}</h1>
      <p id={id}>{children}</p>
    </div>
  );
}
