import { Code } from '@mantine/core';
import { Marked } from '../../../console-kit/parts/diff.tsx';
import { StateMark } from '../../../console-kit/parts/marks.tsx';
import { useScopes } from '../registration/scopes-field.tsx';
import { isMarked, type MarkedEntry } from './mark-changes.ts';

/** Scopes with what each permits; those that no endpoint requires yet say so, and so do those that are new or gone. */
export function ScopeList({ of }: { of: readonly MarkedEntry[] }) {
  const known = useScopes().data?.scopes;
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
