import { IconPlug, IconPlus } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { useLocation } from 'wouter';
import { ClientStatusMark, STATUS_OPTIONS } from '../client/status.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { MODE_OPTIONS, ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';

const CLIENTS = graphql(`
  query Clients(
    $search: String, $mode: Mode, $status: [ClientStatus!], $partnerId: ID
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    clients(
      search: $search, mode: $mode, status: $status, partnerId: $partnerId
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id name mode status grantCount updatedAt
        killSwitch { id }
        partner { id name }
      }
    }
  }
`);

type Variables = VariablesOf<typeof CLIENTS>;

/** All OAuth clients, or those of one partner (`?partner=ptn_…`). */
export function ClientsPage() {
  const list = useList(['search', 'mode', 'status', 'partner']);
  const { search, mode, status, partner } = list.filters;
  const view = useView('clients', CLIENTS, {
    ...list.page,
    search,
    mode: mode === '' ? null : (mode as Variables['mode']),
    status: status === '' ? null : (status.split(',') as Variables['status']),
    partnerId: partner === '' ? null : partner,
  });
  const [, navigate] = useLocation();
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={useDisabledReason('clients:write')}
      onClick={() => navigate(`/clients/new${partner === '' ? '' : `?partner=${partner}`}`)}
    >
      Register client
    </ActionButton>
  );

  return (
    <Page
      title="Clients"
      description="A client is one application of a partner, in one mode for life. Sandbox clients work at once; production clients need a review by a second person."
      actions={button}
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search clients"
          placeholder="Name or client_id"
          value={search}
          onChange={(next) => list.filter({ search: next })}
        />
        <FilterSelect
          label="Mode"
          value={mode}
          options={MODE_OPTIONS}
          onChange={(next) => list.filter({ mode: next })}
        />
        <FilterSelect
          label="Status"
          value={status}
          options={STATUS_OPTIONS}
          onChange={(next) => list.filter({ status: next })}
        />
      </ListToolbar>
      <ConnectionTable
        caption="Clients"
        view={view}
        connection={view.data?.clients}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/clients/${id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Mode', cell: (client) => <ModeMark mode={client.mode} /> },
          {
            header: 'Status',
            cell: (client) => <ClientStatusMark status={client.status} stopped={client.killSwitch !== null} />,
          },
          { header: 'Partner', cell: (client) => client.partner.name },
          { header: 'client_id', cell: ({ id }) => <IdChip id={id} /> },
          { header: 'Live grants', cell: ({ grantCount }) => grantCount.toLocaleString('en'), numeric: true },
          { header: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconPlug />} title="No client yet" actions={button}>
            Begin with a sandbox client: it can sign test users in as soon as it is registered, without a review.
          </EmptyState>
        }
      />
    </Page>
  );
}
