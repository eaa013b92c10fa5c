import { ArrowsRightLeftIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage, ListTable, type Table } from '../../kit/parts/list.tsx';
import { ModeMark } from '../../kit/parts/page.tsx';
import { idFilter, searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { CLIENT_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import { CLAIM_STATE_OPTIONS, ClaimProgress, Holder, nameOfTicket, STUCK } from '../fan/tickets.tsx';

const CLAIMS = graphql(`
  query Claims(
    $state: ClaimState, $stuck: Boolean, $clientId: ID, $fanId: ID, $grantId: ID, $permitId: ID, $signature: String
    $sort: AgeSort, ${PAGE.variables}
  ) {
    claims(
      state: $state, stuck: $stuck, clientId: $clientId, fanId: $fanId, grantId: $grantId, permitId: $permitId, signature: $signature
      sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id state stuck setAside nextAttemptAt signature createdAt updatedAt
        grant { client { name mode } fan { id phone testUser { phone } } }
        permit { ticket { ticketType { name event { name } } } }
      }
    }
  }
`);

/** What the service has still to settle. */
const WAITING_STATES: ReadonlySet<string> = new Set(['PENDING', 'SUBMITTED', STUCK]);

const TABLE = {
  caption: 'Claims',
  href: ({ id }) => `/claims/${id}`,
  columns: {
    Ticket: ({ permit }) => nameOfTicket(permit.ticket),
    Mode: ({ grant }) => <ModeMark mode={grant.client.mode} />,
    State: (claim) => <ClaimProgress claim={claim} />,
    Fan: ({ grant }) => <Holder of={grant.fan} />,
    Client: ({ grant }) => grant.client.name,
    Signature: ({ signature }) => <IdChip id={signature} />,
    Created: ({ createdAt }) => <Moment at={createdAt} />,
    Changed: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  emptyIcon: <ArrowsRightLeftIcon />,
  emptyTitle: 'No claims yet',
  emptyText: 'When a partner submits a signed transfer (POST /claims), its progress appears here.',
} satisfies Table<ResultOf<typeof CLAIMS>['claims']['nodes'][number]>;

/** Claims of tickets, with how far each has come on the chain. */
export function ClaimsPage() {
  const list = useList({
    document: CLAIMS,
    filters: {
      signature: searchFilter('Search claims', 'Full signature (transfer_id)'),
      client: CLIENT_FILTER,
      state: selectFilter('State', CLAIM_STATE_OPTIONS),
      fan: idFilter('Fan'),
      grant: idFilter('Grant'),
      permit: idFilter('Permit'),
    },
    sorts: { Created: 'CREATED' },
    // those that are not settled yet are a queue
    usualSort: ({ state }) => (WAITING_STATES.has(state ?? '') ? 'CREATED' : 'CREATED_DESC'),
    variables: ({ client, state, fan, grant, permit }) => ({
      clientId: client,
      ...(state === STUCK && { stuck: true, state: null }),
      fanId: fan,
      grantId: grant,
      permitId: permit,
    }),
  });
  return (
    <ListPage
      title="Claims"
      description="A claim moves a ticket with a transfer that a partner’s app signed. Submitted claims wait to be confirmed onchain, for a minute or two. One that is not settled is tried again automatically: its page says what to do."
      list={list}
      {...TABLE}
    />
  );
}

/** Tickets that a fan claimed by signed transfers, or the transfers of one ticket. */
export function ClaimsOf({
  of,
  without,
}: {
  of: { fanId: string } | { permitId: string };
  without: readonly string[];
}) {
  const list = useList({ document: CLAIMS, of });
  return <ListTable {...TABLE} list={list} without={['Mode', ...without]} />;
}
