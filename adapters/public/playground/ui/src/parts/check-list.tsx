import type { Check } from '../sign-in/check-callback.ts';

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
