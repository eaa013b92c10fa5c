import type { ComponentChildren } from 'preact';
import { shorten } from '../calls/shorten.ts';
import type { Check } from '../sign-in/check-callback.ts';
import { CopyButton } from './copy-button.tsx';

/** A titled part of a step. */
export function Sheet({ title, children }: { title: string; children: ComponentChildren }) {
  const id = title.replace(/\W+/g, '-').toLowerCase();
  return (
    <section class="sheet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Names with their values, as a list in a sheet. */
export function Facts({ title, values }: { title: string; values: [string, unknown][] }) {
  return (
    <Sheet title={title}>
      <dl class="facts">
        {values.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </Sheet>
  );
}

/** Long values, such as signed tokens, are shortened, and can be unfolded and copied whole. */
export function Fact({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const short = shorten(text);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {short === text ? (
          text
        ) : (
          <div class="long">
            <details>
              <summary>{short}</summary>
              {text}
            </details>
            <CopyButton label="Copy" name={`Copy ${name}`} text={() => text} />
          </div>
        )}
      </dd>
    </>
  );
}

/** Checks with their results: a word, not only a colour, says which it is. */
export function CheckList({ label, checks }: { label: string; checks: Check[] }) {
  return (
    <ul class="checks" aria-label={label}>
      {checks.map(({ name, passed, detail }) => (
        <li key={name} class={passed ? 'passed' : 'failed'}>
          <span class="verdict">{passed ? 'Passed' : 'Failed'}</span>
          <span>
            <strong>{name}</strong>
            <small>{detail}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}
