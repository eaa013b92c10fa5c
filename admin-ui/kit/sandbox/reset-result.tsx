import { Alert, Group, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Section } from '../parts/section.tsx';
import { LinkButton, ViewLink } from '../parts/view-link.tsx';
import type { Ended } from './reset-form.tsx';

interface ResetResultProps {
  ended: Ended;
  partner: { name: string };
  /** Where a client can be chosen for a starter kit. */
  next: { title: string; href: string };
  back: { title: string; href: string };
}

/** The identifiers of what a reset has ended. */
export function ResetResult({ ended, partner, next, back }: ResetResultProps) {
  const lists = [
    { title: 'Revoked permits', ids: ended.permits },
    { title: 'Ended grants', ids: ended.grants },
    { title: 'Ended test events', ids: ended.events },
    { title: 'Deleted test users', ids: ended.testUsers },
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
        Next, create a starter kit for one of its clients:{' '}
        <ViewLink href={next.href} underline="always">
          {next.title}
        </ViewLink>
        .
      </Alert>
      {lists.map(({ title, ids }) => (
        <Section key={title} title={`${title} (${ids.length.toLocaleString('en')})`}>
          <CodeBlock label={title} text={ids.join('\n')} maxHeight={220} />
        </Section>
      ))}
      <Group>
        <LinkButton href={back.href}>{back.title}</LinkButton>
      </Group>
    </Stack>
  );
}
