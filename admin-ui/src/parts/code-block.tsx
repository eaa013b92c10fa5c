import { CopyIcon } from './copy-text.tsx';

/** Lines to take elsewhere as they are, in an area of their own that scrolls by keyboard too. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.2 §2.1.1) */}
      <section tabIndex={0} aria-label={label} className="code-lines">
        <pre>{text}</pre>
      </section>
      <span className="code-copy">
        <CopyIcon text={text} label={label} />
      </span>
    </div>
  );
}
