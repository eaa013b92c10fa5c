import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { Bars } from '../../kit/charts/bars.tsx';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { ProblemAlert } from '../../kit/parts/failure-alert.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { type QuickLink, QuickLinks } from '../../kit/parts/quick-links.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { type ClientData, isInForce } from './document.ts';
import { GoLive } from './go-live.tsx';

/** What a client is, whether it works, and what comes next; `?registered` when it was just registered. */
export function ClientOverview({ client }: { client: ClientData }) {
  const [params] = useSearchParams();
  const sandbox = client.mode === 'SANDBOX';
  return (
    <Stack gap="md">
      {params.has('registered') && (
        <Alert color="ticket" variant="light" icon={<IconCircleCheck aria-hidden />} title="Registered" role="status">
          <CopyText labelled label="client_id" text={client.id} />
        </Alert>
      )}
      {client.isStopped && (
        <ProblemAlert title="This client is stopped">
          <Text size="sm">
            Sign-ins, token refreshes and calls are refused until the people who run this service lift the stop. They
            can tell you why.
          </Text>
        </ProblemAlert>
      )}
      {!sandbox && <GoLive client={client} />}
      {isInForce(client) && client.openReview !== null && (
        <Alert variant="default" icon={<IconHourglass aria-hidden />} title="A requested change is waiting for review">
          The registration in force stays as it is until then.{' '}
          <ViewLink href={`/clients/${client.id}?tab=reviews`} underline="always">
            See what would change
          </ViewLink>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Client">
          <Facts
            of={{
              client_id: <CopyText text={client.id} label="client_id" />,
              'Client secret': 'None: clients are public and use PKCE.',
              Registered: <Moment at={client.createdAt} />,
              'Last changed': <Moment at={client.updatedAt} />,
            }}
          />
        </Section>
        <Section title="Go to">
          <QuickLinks links={linksOf(client)} />
        </Section>
        <Counts client={client} />
      </SimpleGrid>
    </Stack>
  );
}

/** Grants and claims of the client's fans. */
function Counts({ client: { grantCount, endedGrantCount, claimCounts } }: { client: ClientData }) {
  const claims = claimCounts.map(({ state, count }) => ({ name: CLAIM_STATES[state], count }));
  const hasClaims = claims.some(({ count }) => count > 0);
  return (
    <>
      <Section title="Grants" description="What fans have allowed this client.">
        {grantCount + endedGrantCount === 0 ? (
          <Text size="sm" c="dimmed">
            No grants yet. A grant begins when a fan signs in and allows access.
          </Text>
        ) : (
          <Bars
            label="Grants"
            rows={[
              { name: 'Active', count: grantCount },
              { name: 'Ended', count: endedGrantCount },
            ]}
          />
        )}
      </Section>
      <Section title="Claims" description="Tickets moved by transfers that this client sent, by state.">
        {hasClaims ? (
          <Bars label="Claims by state" rows={claims} />
        ) : (
          <Text size="sm" c="dimmed">
            No claims yet. Apps claim with POST /claims/execute.
          </Text>
        )}
      </Section>
    </>
  );
}

const CLAIM_STATES = {
  PENDING: 'Pending',
  SUBMITTED: 'Submitted',
  CONFIRMED: 'Confirmed',
  FAILED: 'Failed',
} as const satisfies Record<ClientData['claimCounts'][number]['state'], string>;

/** Other views, filtered to this client. */
function linksOf({ id, mode }: ClientData): QuickLink[] {
  const ofSandbox: QuickLink[] = [
    ['Starter kit', `/clients/${id}/starter-kit`, 'a test user, an event and 3 permits, in one step'],
    ['Test users', '/test-users', 'the fans that can sign in with it'],
    ['Permits', '/permits', 'the tickets that it can list'],
    ['Failures', `/failures?client=${id}`, 'what it has to handle, brought about on demand'],
  ];
  return [
    ['Requests', `/requests?client=${id}`, 'its calls of the last 30 days, and why one was refused'],
    ['Usage', `/usage?client=${id}`, 'its sign-ins, tokens and API calls as charts'],
    ...(mode === 'SANDBOX' ? ofSandbox : []),
  ];
}
