import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconHandStop } from '@tabler/icons-react';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { Section } from '../parts/section.tsx';
import type { ClientData } from './document.ts';
import { NextStep } from './next-step.tsx';
import { QuickLinks } from './quick-links.tsx';

/** What a client is, whether it works, and what comes next. */
export function ClientOverview({ client, justRegistered }: { client: ClientData; justRegistered: boolean }) {
  const { killSwitch } = client;
  return (
    <Stack gap="md">
      {justRegistered && (
        <Alert color="ticket" variant="light" icon={<IconCircleCheck aria-hidden />} title="Registered" role="status">
          <CopyText label="client_id" text={client.id} />
        </Alert>
      )}
      {killSwitch && (
        <Alert color="red" variant="light" icon={<IconHandStop aria-hidden />} title="Stopped by a kill switch">
          <Text size="sm">
            {killSwitch.reason} ({killSwitch.setBy?.name ?? 'the system'}, <Moment at={killSwitch.setAt} />)
          </Text>
        </Alert>
      )}
      <NextStep client={client} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Client">
          <Facts
            of={[
              ['client_id', <CopyText key="id" text={client.id} label="client_id" labelled={false} />],
              ['Live grants', client.grantCount.toLocaleString('en')],
              ['Registered', <Moment key="created" at={client.createdAt} />],
              ['Changed', <Moment key="updated" at={client.updatedAt} />],
            ]}
          />
        </Section>
        <Section title="Go to">
          <QuickLinks client={client} />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
