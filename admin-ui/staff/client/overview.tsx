import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { type QuickLink, QuickLinks } from '../../kit/parts/quick-links.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { StoppedAlert } from '../kill-switch/stopped-alert.tsx';
import type { ClientData } from './document.ts';
import { NextStep } from './next-step.tsx';
import { SimulationSection } from './simulation-section.tsx';
import { StopSection } from './stop-section.tsx';

/** What a client is, whether it works, and what comes next; `?registered` when it was just registered. */
export function ClientOverview({ client }: { client: ClientData }) {
  const [params] = useSearchParams();
  return (
    <Stack gap="md">
      {params.has('registered') && (
        <Alert color="ticket" variant="light" icon={<IconCircleCheck aria-hidden />} title="Registered" role="status">
          <CopyText labelled label="client_id" text={client.id} />
        </Alert>
      )}
      <StoppedAlert killSwitch={client.killSwitch} stop={client.killSwitch} />
      <NextStep client={client} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Client">
          <Facts
            of={{
              client_id: <CopyText text={client.id} label="client_id" />,
              'Active grants': client.grantCount.toLocaleString('en'),
              Registered: <Moment at={client.createdAt} />,
              'Last changed': <Moment at={client.updatedAt} />,
            }}
          />
        </Section>
        <Section title="Go to">
          <QuickLinks links={linksOf(client)} />
        </Section>
      </SimpleGrid>
      <SimulationSection client={client} />
      <StopSection client={client} />
    </Stack>
  );
}

/** Other views, filtered to this client. */
function linksOf({ id, mode, partner }: ClientData): QuickLink[] {
  const ofSandbox: QuickLink[] = [
    ['Starter kit', `/clients/${id}/starter-kit`, 'a test user, an event and 3 permits, in one step'],
    ['Test users', `/test-users?partner=${partner.id}`, 'the fans that can sign in with it'],
    ['Permits', `/permits?partner=${partner.id}`, 'the tickets that it can list'],
  ];
  return [
    ['Timeline', `/timeline?search=${id}`, 'everything that happened to it'],
    ['Traffic', `/?client=${id}`, 'its sign-ins, tokens and API calls'],
    ['Grants', `/grants?client=${id}`, 'the fans who gave it access'],
    ...(mode === 'SANDBOX' ? ofSandbox : []),
  ];
}
