import { IconPlug, IconPlus } from '@tabler/icons-react';
import { useLocation, useParams } from 'wouter';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { PAGE } from '../../kit/data/document.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { ListTable } from '../../kit/parts/list-table.tsx';
import { ModeMark } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { NotFoundPage } from '../../kit/parts/not-found.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { ViewLoading } from '../../kit/parts/view-loading.tsx';
import { graphql } from '../data/graphql.ts';
import { WorkspaceParts } from '../partner/workspace-parts.tsx';
import { PartnerSandbox } from '../sandbox/partner-sandbox.tsx';

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
    variables: (page) => ({ id, ...page }),
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
      leftSection={<IconPlus size={16} aria-hidden />}
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
        emptyIcon={<IconPlug />}
        emptyTitle="No clients yet"
        emptyText="Start with a sandbox client, which can be used immediately. Register the production client once the integration works."
      />
      <WorkspaceParts partnerId={partner.id} />
    </Page>
  );
}
