import { PlusIcon, Squares2X2Icon } from '@heroicons/react/24/outline';
import { Group } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { PAGE } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert, NotFoundPage, ViewLoading } from '../../kit/parts/instead.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { LinkButton, ModeMark, Page, Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { WorkspaceParts } from '../partner/people.tsx';

const PARTNER = graphql(`
  query Partner($id: ID!, ${PAGE.variables}) {
    partner(id: $id) {
      id name createdAt
      clients(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id name mode status grantCount updatedAt killSwitch { id } openReview { id } }
      }
    }
  }
`);

/** One partner and its clients. */
export function PartnerPage() {
  const { id } = useParams<{ id: string }>();
  const list = useList({
    document: PARTNER,
    of: { id },
    connection: (data) => data.partner?.clients,
  });
  const [, navigate] = useLocation();
  const { error, refetch } = list.view;
  if (error) return <FailureAlert failure={error} title="The partner could not be loaded" retry={refetch} />;
  if (!list.data) return <ViewLoading />;
  const { partner } = list.data;
  if (!partner) return <NotFoundPage />;
  const button = (
    <ActionButton
      variant="filled"
      leftSection={<PlusIcon width={16} />}
      right="clients:write"
      onClick={() => navigate(`/clients/new?partner=${partner.id}`)}
    >
      Register client
    </ActionButton>
  );
  return (
    <Page title={partner.name} above={[{ title: 'Partners', href: '/partners' }]} actions={button}>
      <Section title="Partner">
        <Facts
          of={{
            'Partner ID': <CopyText text={partner.id} label="partner ID" />,
            Registered: <Moment at={partner.createdAt} />,
          }}
        />
        <PartnerSandbox partnerId={partner.id} />
      </Section>
      <ListTable
        caption="Clients"
        list={list}
        href={(client) => `/clients/${client.id}`}
        columns={{
          Name: ({ name }) => name,
          Mode: ({ mode }) => <ModeMark mode={mode} />,
          Status: ({ status, killSwitch, openReview }) => (
            <ClientStatusMark status={status} stopped={killSwitch !== null} inReview={openReview !== null} />
          ),
          'Active grants': ({ grantCount }) => grantCount.toLocaleString('en'),
          'Last changed': ({ updatedAt }) => <Moment at={updatedAt} />,
        }}
        numeric={['Active grants']}
        add={button}
        emptyIcon={<Squares2X2Icon />}
        emptyTitle="No clients yet"
        emptyText="Start with a sandbox client, which can be used immediately. Register the production client once the integration works."
      />
      <WorkspaceParts partnerId={partner.id} />
    </Page>
  );
}

/** From a partner to its test data. */
function PartnerSandbox({ partnerId }: { partnerId: string }) {
  const links = {
    'Test users': `/test-users?partner=${partnerId}`,
    'Test events': `/test-events?partner=${partnerId}`,
    Permits: `/permits?partner=${partnerId}`,
    'Reset sandbox': `/partners/${partnerId}/reset-sandbox`,
  };
  return (
    <Group gap="xs" component="nav" aria-label="Partner sandbox">
      {Object.entries(links).map(([title, href]) => (
        <LinkButton key={href} href={href} size="xs">
          {title}
        </LinkButton>
      ))}
    </Group>
  );
}
