import { LinkIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage, ListTable, type Table } from '../../kit/parts/list.tsx';
import { ModeMark } from '../../kit/parts/page.tsx';
import { idFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { CLIENT_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import { RevokeGrant } from '../fan/revoke-grant.tsx';
import { GrantStateMark, Holder } from '../fan/tickets.tsx';

const GRANT_ROW = graphql(`
  fragment GrantRow on Grant {
    id actions mode createdAt revokedAt revokedReason
    client { id name mode }
    fan { id phone testUser { phone } }
  }
`);

const GRANTS = graphql(
  `
  query Grants($clientId: ID, $fanId: ID, $revoked: Boolean, $sort: AgeSort, ${PAGE.variables}) {
    grants(clientId: $clientId, fanId: $fanId, revoked: $revoked, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields} nodes { ...GrantRow }
    }
  }
`,
  [GRANT_ROW],
);

const TICKET_GRANTS = graphql(
  `
  query TicketGrants($id: ID!, ${PAGE.variables}) {
    ticket(id: $id) { grants(${PAGE.args}) { ${PAGE.fields} nodes { ...GrantRow } } }
  }
`,
  [GRANT_ROW],
);

const TABLE = {
  caption: 'Grants',
  href: ({ id }) => `/grants/${id}`,
  columns: {
    Client: ({ client }) => client.name,
    Mode: ({ client }) => <ModeMark mode={client.mode} />,
    State: (grant) => <GrantStateMark grant={grant} />,
    Fan: ({ fan }) => <Holder of={fan} />,
    Allows: ({ actions }) => <span className="two-lines">{actions.join(', ') || 'Sign-in only'}</span>,
    Tickets: ({ mode }) => (mode === 'SELECTED' ? 'chosen ones' : 'all'),
    Grant: ({ id }) => <IdChip id={id} />,
    Given: ({ createdAt }) => <Moment at={createdAt} />,
    Access: (grant) => <RevokeGrant grant={grant} size="compact-sm" />,
  },
  emptyIcon: <LinkIcon />,
  emptyTitle: 'No grants yet',
  emptyText: 'A grant is created when a fan or a test user signs in to a partner’s app and allows its request.',
} satisfies Table<ResultOf<typeof GRANT_ROW>>;

const STATE_OPTIONS = [
  { value: 'alive', label: 'Active' },
  { value: 'ended', label: 'Ended' },
];

/** What fans allowed clients to do; `?client=`, `?fan=` and `?state=` narrow. */
export function GrantsPage() {
  const list = useList({
    document: GRANTS,
    filters: { client: CLIENT_FILTER, state: selectFilter('State', STATE_OPTIONS), fan: idFilter('Fan') },
    sorts: { Given: 'CREATED' },
    variables: ({ client, fan, state }) => ({
      clientId: client,
      fanId: fan,
      revoked: state === null ? null : state === 'ended',
    }),
  });
  return (
    <ListPage
      title="Grants"
      description="What fans allowed clients to do on the consent page. Every token belongs to a grant and ends with it."
      list={list}
      {...TABLE}
      without={['Tickets', 'Access']}
    />
  );
}

/** What a fan allowed which client. */
export function FanGrants({ fanId }: { fanId: string }) {
  const list = useList({ document: GRANTS, of: { fanId } });
  return <ListTable {...TABLE} list={list} without={['Mode', 'Fan', 'Grant']} />;
}

/** Grants that show a ticket to an app. */
export function TicketGrants({ ticketId }: { ticketId: string }) {
  const list = useList({
    document: TICKET_GRANTS,
    of: { id: ticketId },
    connection: ({ ticket }) => ticket?.grants,
  });
  return <ListTable {...TABLE} list={list} without={['Mode', 'Allows', 'Grant', 'Access']} />;
}
