import type { VariablesOf } from 'gql.tada';
import { useLocation } from 'wouter';
import { ClientList } from '../../kit/client/client-list.tsx';
import { STATUS_OPTIONS } from '../../kit/client/status.tsx';
import { PAGE } from '../../kit/data/view.ts';
import { AddButton } from '../../kit/parts/list.tsx';
import { searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const CLIENTS = graphql(`
  query Clients($search: String, $mode: Mode, $status: [ClientStatus!], $partnerId: ID, $sort: ClientSort, ${PAGE.variables}) {
    clients(search: $search, mode: $mode, status: $status, partnerId: $partnerId, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id name mode status grantCount updatedAt
        killSwitch { id }
        openReview { id }
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
    sorts: { Name: 'NAME', Status: 'STATUS', Changed: 'UPDATED' },
    variables: ({ status, partner }) => ({
      status: (status?.split(',') ?? null) as Variables['status'],
      partnerId: partner,
    }),
  });
  const { partner } = list.values;
  const [, navigate] = useLocation();
  return (
    <ClientList
      description="Each client is a partner’s registration for one mode, which never changes. Sandbox clients can be used immediately; production clients are first reviewed by a second person."
      add={
        <AddButton
          label="Register client"
          right="clients:write"
          onClick={() => navigate(`/clients/new${partner === null ? '' : `?partner=${partner}`}`)}
        />
      }
      list={list}
      isStopped={({ killSwitch }) => killSwitch !== null}
      partnerOf={({ partner }) => partner.name}
    />
  );
}
