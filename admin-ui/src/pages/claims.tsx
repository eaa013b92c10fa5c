import { IconTransfer } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { CLIENT_FILTER } from '../choosing/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { CLAIM_STATE_OPTIONS, ClaimProgress, SET_ASIDE } from '../fan/states.tsx';
import { idFilter, searchFilter, selectFilter } from '../parts/filters.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';

const CLAIMS = graphql(`
  query Claims(
    $state: ClaimState, $setAside: Boolean, $clientId: ID, $fanId: ID, $grantId: ID, $permitId: ID, $signature: String
    ${PAGE.variables}
  ) {
    claims(
      state: $state, setAside: $setAside, clientId: $clientId, fanId: $fanId, grantId: $grantId, permitId: $permitId, signature: $signature
      ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id state setAside nextAttemptAt signature updatedAt
        grant { client { name mode } fan { id phone testUser { phone } } }
        permit { ticket { ticketType { name event { name } } } }
      }
    }
  }
`);

type Variables = Required<VariablesOf<typeof CLAIMS>>;

/** Claims of tickets, with how far each has come on the chain. */
export function ClaimsPage() {
  const list = useList({
    document: CLAIMS,
    filters: {
      signature: searchFilter('Search claims', 'A whole signature (transfer_id)'),
      client: CLIENT_FILTER,
      state: selectFilter('State', CLAIM_STATE_OPTIONS),
      fan: idFilter('Fan'),
      grant: idFilter('Grant'),
      permit: idFilter('Permit'),
    },
    variables: (page, { signature, client, state, fan, grant, permit }) => ({
      ...page,
      signature,
      clientId: client,
      ...(state === SET_ASIDE ? { setAside: true } : { state: state as Variables['state'] }),
      fanId: fan,
      grantId: grant,
      permitId: permit,
    }),
    connection: ({ claims }) => claims,
  });
  return (
    <ListPage
      title="Claims"
      description="A claim moves a ticket by a transfer that was signed elsewhere. Pending ones wait to be sent; submitted ones wait for the chain."
      list={list}
      href={({ id }) => `/claims/${id}`}
      columns={{
        Ticket: ({ permit }) => nameOfTicket(permit.ticket),
        Mode: ({ grant }) => <ModeMark mode={grant.client.mode} />,
        State: (claim) => <ClaimProgress claim={claim} />,
        Fan: ({ grant }) => <Holder of={grant.fan} />,
        Client: ({ grant }) => grant.client.name,
        Signature: ({ signature }) => <IdChip id={signature} />,
        Changed: ({ updatedAt }) => <Moment at={updatedAt} />,
      }}
      emptyIcon={<IconTransfer />}
      emptyTitle="No claim yet"
      emptyText="A partner hands a signed transfer in (POST /claims); from then on its way over the chain is shown here."
    />
  );
}
