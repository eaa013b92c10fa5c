import { Anchor, Paper, Text } from '@mantine/core';
import { IconZoomQuestion } from '@tabler/icons-react';
import { Link } from 'wouter';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { storyOf, viewOf } from '../places.ts';

interface Hit {
  kind: string;
  id: string;
  title: string;
  subtitle: string;
}

/** What the timeline is of, each with a link to its view, if it has one. */
export function Subjects({ of }: { of: readonly Hit[] }) {
  return (
    <ul className="subjects" aria-label="Timeline of">
      {of.map(({ kind, id, title, subtitle }) => {
        const view = viewOf(kind, id);
        return (
          <Paper component="li" withBorder p="sm" radius="md" key={id}>
            <Text size="xs" c="dimmed">
              {kind.charAt(0) + kind.slice(1).toLowerCase()}
            </Text>
            <Text fw={600}>
              {view === undefined ? (
                title
              ) : (
                <Anchor component={Link} href={view} inherit>
                  {title}
                </Anchor>
              )}
            </Text>
            {subtitle !== '' && <Text size="sm">{subtitle}</Text>}
            <CopyText text={id} label="ID" />
          </Paper>
        );
      })}
    </ul>
  );
}

/** What a text may mean that is no identifier. */
export function Candidates({ search, hits }: { search: string; hits: readonly Hit[] }) {
  if (hits.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={<IconZoomQuestion />} title={`Nothing found for “${search}”`}>
          Enter IDs, signatures and addresses in full. A phone number can be found once a fan has signed in with it.
          Requests are kept for 30 days.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper withBorder p="md" radius="md">
      <Text size="sm" pb="xs">
        “{search}” is not an ID. Did you mean:
      </Text>
      <ul className="plain-list">
        {hits.map(({ kind, id, title, subtitle }) => (
          <li key={id}>
            <Anchor component={Link} href={storyOf(id)} size="sm">
              {title}
            </Anchor>{' '}
            <span className="aside">
              {kind.toLowerCase()}
              {subtitle !== '' && ` · ${subtitle}`}
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
