import { IconPlug, IconPlus } from '@tabler/icons-react';
import { useLocation, useParams } from 'wouter';
import { ClientStatusMark } from '../client/status.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useList } from '../parts/use-list.ts';
import { ViewLoading } from '../parts/view-loading.tsx';
import { PartnerSandbox } from '../sandbox/partner-sandbox.tsx';
import { NotFoundPage } from './not-found.tsx';

const PARTNER = graphql(`
  query Partner($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    partner(id: $id) {
      id name createdAt
      clients(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id name mode status grantCount updatedAt killSwitch { id } }
      }
    }
  }
`);

/** One partner and its clients. */
export function PartnerPage() {
  const { id } = useParams<{ id: string }>();
  const list = useList([]);
  const view = useView('partner', PARTNER, { id, ...list.page });
  const [, navigate] = useLocation();
  if (view.error) {
    return <FailureAlert failure={view.error} title="The partner could not be read" retry={view.refetch} />;
  }
  if (!view.data) return <ViewLoading />;
  const { partner } = view.data;
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
            Identifier: <CopyText text={partner.id} label="Partner id" />,
            Registered: <Moment at={partner.createdAt} />,
          }}
        />
        <PartnerSandbox partnerId={partner.id} />
      </Section>
      <ConnectionTable
        caption="Clients"
        view={view}
        connection={partner.clients}
        list={list}
        rowKey={(client) => client.id}
        href={(client) => `/clients/${client.id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Mode', cell: ({ mode }) => <ModeMark mode={mode} /> },
          {
            header: 'Status',
            cell: ({ status, killSwitch }) => <ClientStatusMark status={status} stopped={killSwitch !== null} />,
          },
          { header: 'Live grants', cell: ({ grantCount }) => grantCount.toLocaleString('en'), numeric: true },
          { header: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconPlug />} title="No client yet" actions={button}>
            A sandbox client is ready at once. The production client comes when the integration works.
          </EmptyState>
        }
      />
    </Page>
  );
}
