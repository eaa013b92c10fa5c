import { Squares2X2Icon } from '@heroicons/react/24/outline';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useSearchParams } from 'wouter';
import { Funnel } from '../../kit/charts/bars.tsx';
import { sumOf, totalOf } from '../../kit/charts/looks.ts';
import { CallsChart, Figures } from '../../kit/charts/usage-charts.tsx';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, findIn, ViewLoading } from '../../kit/parts/instead.tsx';
import { LinkButton, ModeMark, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { ClientSelect, usualOf } from '../client/own-clients.tsx';
import { Limits } from '../usage/limits.tsx';

const OVERVIEW = graphql(`
  query Overview {
    viewer { id partner { id name } }
    clients(first: 20) {
      nodes {
        id name mode status isStopped grantCount
        openReview { id }
        goLive { name says isNext isYours }
        claimCounts { state count }
      }
      pageInfo { hasNextPage }
    }
  }
`);

const DAY_OF_CLIENT = graphql(`
  query DayOfClient($clientId: ID!) {
    usage(clientId: $clientId, period: DAY) {
      buckets
      funnel { name total values }
      calls { name total values }
    }
  }
`);

type OwnClient = ResultOf<typeof OVERVIEW>['clients']['nodes'][number];

/** The clients with what comes next for each, and the last day of one. */
export function OverviewPage() {
  const view = useView('overview', OVERVIEW, {}, { refetchInterval: 60_000 });
  const { found, instead } = findIn(view, 'overview', (data) => data);
  if (!found) return instead;
  const { clients, viewer } = found;
  return (
    <Page title={viewer.partner.name} description="Your clients, and what happened with them in the last 24 hours.">
      {clients.nodes.length === 0 ? (
        <Section title="Clients">
          <EmptyState
            icon={<Squares2X2Icon />}
            title="No clients yet"
            actions={
              <LinkButton href="/clients/new" variant="filled">
                Register client
              </LinkButton>
            }
          >
            Start with a sandbox client: it can sign test users in as soon as it is registered.
          </EmptyState>
        </Section>
      ) : (
        <>
          <Clients clients={clients.nodes} />
          {clients.pageInfo.hasNextPage && <ViewLink href="/clients">All clients</ViewLink>}
          <LastDay clients={clients.nodes} />
        </>
      )}
      <Limits />
    </Page>
  );
}

function Clients({ clients }: { clients: readonly OwnClient[] }) {
  return (
    <Rows
      caption="Clients"
      rows={clients}
      href={({ id }) => `/clients/${id}`}
      columns={{
        Client: ({ name }) => name,
        Mode: ({ mode }) => <ModeMark mode={mode} />,
        Status: ({ status, isStopped, openReview }) => (
          <ClientStatusMark status={status} stopped={isStopped} inReview={openReview !== null} />
        ),
        Next: (client) => <Next client={client} />,
        'Active grants': ({ grantCount }) => grantCount.toLocaleString('en'),
        Claims: ({ claimCounts }) => claimCounts.reduce((sum, { count }) => sum + count, 0).toLocaleString('en'),
      }}
      numeric={['Active grants', 'Claims']}
    />
  );
}

function Next({ client: { goLive, openReview } }: { client: OwnClient }) {
  const next = goLive.find(({ isNext }) => isNext);
  const text = next
    ? next.isYours
      ? 'Your turn: submit it'
      : NEXT_OF_STAFF[next.name]
    : openReview && 'Change in review';
  return (
    <Text span size="sm" c="dimmed">
      {text || '–'}
    </Text>
  );
}

const NEXT_OF_STAFF: Record<string, string> = { approved: 'Waiting for review', enabled: 'Waiting to be enabled' };

/** Figures and charts of one client, `?client=client_…`. */
function LastDay({ clients }: { clients: readonly OwnClient[] }) {
  const [params, setParams] = useSearchParams();
  const client = params.get('client') ?? usualOf(clients)?.id ?? '';
  const { data, error, refetch, isPlaceholderData } = useView(
    'day-of-client',
    DAY_OF_CLIENT,
    { clientId: client },
    { refetchInterval: 60_000 },
  );
  const { grantCount = 0, claimCounts = [] } = clients.find(({ id }) => id === client) ?? {};
  return (
    <Stack gap="md">
      <div className="line-start">
        <Text fw={600}>Last 24 hours of</Text>
        <ClientSelect value={client} onChange={(next) => setParams({ client: next }, { replace: true })} />
        <ViewLink href={`/usage?client=${client}`}>All charts</ViewLink>
      </div>
      <FailureAlert failure={error} title="The charts could not be loaded" retry={refetch} />
      {data ? (
        <div className="table-frame" data-stale={isPlaceholderData || undefined}>
          <Day usage={data.usage} client={client} grants={grantCount} claims={claimCounts} />
        </div>
      ) : (
        !error && <ViewLoading />
      )}
    </Stack>
  );
}

interface DayProps {
  usage: ResultOf<typeof DAY_OF_CLIENT>['usage'];
  client: string;
  grants: number;
  claims: OwnClient['claimCounts'];
}

function Day({ usage: { buckets, calls, funnel }, client, grants, claims }: DayProps) {
  const refused = totalOf(calls, '4xx') + totalOf(calls, '5xx');
  const figures = [
    { label: 'Fan API calls', figure: sumOf(calls) },
    { label: 'Refused or failed', figure: refused },
    { label: 'Active grants', figure: grants },
    { label: 'Claims so far', figure: claims.reduce((sum, { count }) => sum + count, 0) },
  ];
  return (
    <Stack gap="md">
      <Figures figures={figures.map(({ label, figure }) => ({ label, figure: figure.toLocaleString('en') }))} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <CallsChart buckets={buckets} period="DAY" within={{ client }} series={calls} />
        <Funnel series={funnel} within={{ client, from: buckets[0] ?? '' }} />
      </SimpleGrid>
    </Stack>
  );
}
