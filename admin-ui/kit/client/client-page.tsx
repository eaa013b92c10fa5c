import { CheckCircleIcon } from '@heroicons/react/24/outline';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import type { ComponentType, ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { FailureAlert, useNamed } from '../parts/instead.tsx';
import { Page, type QuickLink, QuickLinks, Section } from '../parts/page.tsx';
import { PageTabs } from '../parts/page-tabs.tsx';
import { CopyText } from '../parts/text.tsx';
import { Facts, Moment } from '../parts/values.tsx';
import { MakeStarterKit } from '../sandbox/starter-kit.tsx';
import { type ClientStatus, ClientStatusMark } from './status.tsx';

interface ClientOnPage {
  id: string;
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  status: ClientStatus;
}

interface ClientPageProps<Client> {
  document: TadaDocumentNode<{ client: Client | null }, { id: string }>;
  /** The view above it beside the list of clients. */
  owner?: (client: Client) => { title: string; href: string };
  isStopped: (client: Client) => boolean;
  isInReview: (client: Client) => boolean;
  /** The actions on a client of production. */
  actions?: (client: Client) => ReactNode;
  /** Parts of the page by their names in the address. Only a client of production has a `review`. */
  parts: Record<string, readonly [title: string, Part: ComponentType<{ client: Client }>]>;
}

/** One client and its parts. `?tab=` names the part. */
export function ClientPage<Client extends ClientOnPage>(props: ClientPageProps<Client>) {
  const { id, view, found: client, instead } = useNamed('client', props.document, (data) => data.client);
  if (!client) return instead;
  const { name, mode, status } = client;
  const owner = props.owner?.(client);
  return (
    <Page
      title={name}
      above={[{ title: 'Clients', href: '/clients' }, ...(owner ? [owner] : [])]}
      mode={mode}
      marks={<ClientStatusMark status={status} stopped={props.isStopped(client)} inReview={props.isInReview(client)} />}
      actions={mode === 'PRODUCTION' ? props.actions?.(client) : <MakeStarterKit clientId={id} />}
    >
      <FailureAlert failure={view.error} title="The client could not be refreshed" retry={view.refetch} />
      <PageTabs
        tabs={Object.entries(props.parts).flatMap(([part, [title, Part]]) =>
          part === 'review' && mode === 'SANDBOX' ? [] : { name: part, title, content: <Part client={client} /> },
        )}
      />
    </Page>
  );
}

interface ClientOverviewProps {
  client: { id: string; createdAt: string; updatedAt: string };
  /** Whether it works, and what comes next. */
  next: ReactNode;
  /** Further facts, beside its identifier and its times. */
  facts: Record<string, ReactNode>;
  links: readonly QuickLink[];
  /** Beside the links. */
  more?: ReactNode;
  children?: ReactNode;
}

/** What a client is, whether it works, and what comes next; `?registered` when it was just registered. */
export function ClientOverview({ client, next, facts, links, more, children }: ClientOverviewProps) {
  const [params] = useSearchParams();
  return (
    <Stack gap="md">
      {params.has('registered') && (
        <Alert color="ticket" variant="light" icon={<CheckCircleIcon />} title="Registered" role="status">
          <CopyText labelled label="client_id" text={client.id} />
        </Alert>
      )}
      {next}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="Client">
          <Facts
            of={{
              client_id: <CopyText text={client.id} label="client_id" />,
              ...facts,
              Registered: <Moment at={client.createdAt} />,
              'Last changed': <Moment at={client.updatedAt} />,
            }}
          />
        </Section>
        <Section title="Go to">
          <QuickLinks links={links} />
        </Section>
        {more}
      </SimpleGrid>
      {children}
    </Stack>
  );
}

/** Views with the test data of a sandbox client; none for one of production. @param query which test data */
export function linksToTestData({ id, mode }: Pick<ClientOnPage, 'id' | 'mode'>, query = ''): QuickLink[] {
  if (mode === 'PRODUCTION') return [];
  return [
    ['Starter kit', `/clients/${id}/starter-kit`, 'a test user, an event and 3 permits, in one step'],
    ['Test users', `/test-users${query}`, 'the fans that can sign in with it'],
    ['Permits', `/permits${query}`, 'the tickets that it can list'],
  ];
}
