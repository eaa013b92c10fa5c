import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { shortened } from '../../kit/parts/id-chip.tsx';
import { storyOf, viewOf } from '../places.ts';
import type { EntryData } from './kinds.ts';

interface ReferencesProps {
  of: EntryData['references'];
  /** Identifiers without a link: those that the timeline is of. */
  except?: readonly string[];
}

/** Links to what an entry is about: a request to its view, anything else to its timeline. */
export function References({ of, except = [] }: ReferencesProps) {
  const shown = Object.entries(of).flatMap(([name, id]) => (id === null || except.includes(id) ? [] : [{ name, id }]));
  if (shown.length === 0) return null;
  return (
    <ul className="references">
      {shown.map(({ name, id }) => (
        <li key={name}>
          <Text span size="xs" c="dimmed">
            {name === 'requestId' ? 'request' : name}{' '}
          </Text>
          <Anchor
            component={Link}
            href={(name === 'requestId' && viewOf('request', id)) || storyOf(id)}
            size="xs"
            ff="monospace"
            title={id}
          >
            {shortened(id)}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
