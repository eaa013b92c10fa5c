import { Code } from '@mantine/core';
import { Marked } from '../parts/diff.tsx';
import { StateMark } from '../parts/marks.tsx';
import { isMarked, type MarkedEntry } from './mark-changes.ts';
import type { ScopeOption } from './scopes-field.tsx';

interface ScopeListProps {
  of: readonly MarkedEntry[];
  /** All scopes; undefined until they are loaded. */
  known: readonly ScopeOption[] | undefined;
}

/** Scopes with what each permits; those that no endpoint requires yet say so, and so do those that are new or gone. */
export function ScopeList({ of, known }: ScopeListProps) {
  return (
    <ul className="plain-list marked-list">
      {of.map(({ value, mark }) => {
        const scope = known?.find(({ name }) => name === value);
        return (
          <li key={value}>
            {isMarked(mark) ? <Marked mark={mark}>{value}</Marked> : <Code>{value}</Code>}{' '}
            <span className="aside">{scope?.says}</span>{' '}
            {scope && !scope.inUse && <StateMark tone="waiting">No endpoint yet</StateMark>}
          </li>
        );
      })}
    </ul>
  );
}
