import { IconPlug } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { useLocation } from 'wouter';
import { ClientStatusMark, STATUS_OPTIONS } from '../client/status.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { AddButton } from '../parts/add-button.tsx';
import { searchFilter, selectFilter } from '../parts/filters.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { MODE_OPTIONS, ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';

const CLIENTS = graphql(`
  query Clients($search: String, $mode: Mode, $status: [ClientStatus!], $partnerId: ID, ${PAGE.variables}) {
    clients(search: $search, mode: $mode, status: $status, partnerId: $partnerId, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id name mode status grantCount updatedAt
        killSwitch { id }
        partner { id name }
      }
    }
  }
`);

type Variables = Required<VariablesOf<typeof CLIENTS>>;

/** All OAuth clients, or those of one partner (`?partner=ptn_…`). */
export function ClientsPage() {
  const list = useList({
    document: CLIENTS,
    filters: {
      search: searchFilter('Search clients', 'Name or client_id'),
      mode: selectFilter('Mode', MODE_OPTIONS),
      status: selectFilter('Status', STATUS_OPTIONS),
      partner: null,
    },
    variables: (page, { search, mode, status, partner }) => ({
      ...page,
      search,
      mode: mode as Variables['mode'],
      status: (status?.split(',') ?? null) as Variables['status'],
      partnerId: partner,
    }),
    connection: ({ clients }) => clients,
  });
  const { partner } = list.values;
  const [, navigate] = useLocation();
  return (
    <ListPage
      title="Clients"
      description="A client is one application of a partner, in one mode for life. Sandbox clients work at once; production clients need a review by a second person."
      add={
        <AddButton
          label="Register client"
          right="clients:write"
          onClick={() => navigate(`/clients/new${partner === null ? '' : `?partner=${partner}`}`)}
        />
      }
      list={list}
      href={({ id }) => `/clients/${id}`}
      columns={{
        Name: ({ name }) => name,
        Mode: ({ mode }) => <ModeMark mode={mode} />,
        Status: ({ status, killSwitch }) => <ClientStatusMark status={status} stopped={killSwitch !== null} />,
        Partner: (client) => client.partner.name,
        client_id: ({ id }) => <IdChip id={id} />,
        'Live grants': ({ grantCount }) => grantCount.toLocaleString('en'),
        Changed: ({ updatedAt }) => <Moment at={updatedAt} />,
      }}
      numeric={['Live grants']}
      emptyIcon={<IconPlug />}
      emptyTitle="No client yet"
      emptyText="Begin with a sandbox client: it can sign test users in as soon as it is registered, without a review."
    />
  );
}
