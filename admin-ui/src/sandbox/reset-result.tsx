import { Alert, Group, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Section } from '../parts/section.tsx';
import { LinkButton, ViewLink } from '../parts/view-link.tsx';
import type { Ended } from './reset-form.tsx';

interface ResetResultProps {
  ended: Ended;
  partner: { id: string; name: string };
}

/** The identifiers of what a reset has ended. */
export function ResetResult({ ended, partner }: ResetResultProps) {
  const lists = [
    { title: 'Permits that were revoked', ids: ended.permits },
    { title: 'Grants that ended', ids: ended.grants },
    { title: 'Test events that are over', ids: ended.events },
    { title: 'Test users that were removed', ids: ended.testUsers },
  ].filter(({ ids }) => ids.length > 0);
  return (
    <Stack gap="md">
      <Alert
        color="ticket"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        title={`The sandbox of ${partner.name} is empty`}
        role="status"
      >
        Next, a starter kit for one of its clients:{' '}
        <ViewLink href={`/partners/${partner.id}`} underline="always">
          choose the client
        </ViewLink>
        .
      </Alert>
      {lists.map(({ title, ids }) => (
        <Section key={title} title={`${title} (${ids.length.toLocaleString('en')})`}>
          <CodeBlock label={title} text={ids.join('\n')} maxHeight={220} />
        </Section>
      ))}
      <Group>
        <LinkButton href={`/partners/${partner.id}`}>Back to {partner.name}</LinkButton>
      </Group>
    </Stack>
  );
}
