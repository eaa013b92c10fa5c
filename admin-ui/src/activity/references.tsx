import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { shortened } from '../parts/id-chip.tsx';
import { storyOf, viewOf } from '../places.ts';
import type { EntryData } from './kinds.ts';

const NAMES: Record<keyof EntryData['references'], string> = {
  client: 'client',
  fan: 'fan',
  grant: 'grant',
  session: 'session',
  ticket: 'ticket',
  permit: 'permit',
  claim: 'claim',
  requestId: 'request',
};

interface ReferencesProps {
  of: EntryData['references'];
  /** What the story is of: it need not lead to itself. */
  except?: readonly string[];
}

/** What an entry is about, each a link: a request to its view, anything else to its story. */
export function References({ of, except = [] }: ReferencesProps) {
  const names = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const shown = names.flatMap((name) => {
    const id = of[name];
    return id === null || except.includes(id) ? [] : [{ name, id }];
  });
  if (shown.length === 0) return null;
  return (
    <ul className="references">
      {shown.map(({ name, id }) => (
        <li key={name}>
          <Text span size="xs" c="dimmed">
            {NAMES[name]}{' '}
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
