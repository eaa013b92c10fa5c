import { IconPlugConnected, IconTag, IconTransfer } from '@tabler/icons-react';
import { PAGE } from '../../kit/data/view.ts';
import { ListTable } from '../../kit/parts/list.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { ClaimProgress, GrantStateMark, Holder, inSol, ListingStateMark } from '../fan/tickets.tsx';

const GRANTS = graphql(`
  query TicketGrants($id: ID!, ${PAGE.variables}) {
    ticket(id: $id) {
      grants(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id mode createdAt revokedAt revokedReason client { id name } fan { id phone testUser { phone } } }
      }
    }
  }
`);

/** Grants that show the ticket to an app. */
export function TicketGrants({ ticketId }: { ticketId: string }) {
  const list = useList({
    document: GRANTS,
    variables: (page) => ({ id: ticketId, ...page }),
    connection: ({ ticket }) => ticket?.grants,
  });
  return (
    <ListTable
      caption="Grants"
      list={list}
      href={({ id }) => `/grants/${id}`}
      columns={{
        Client: ({ client }) => client.name,
        State: (grant) => <GrantStateMark grant={grant} />,
        Fan: ({ fan }) => <Holder of={fan} />,
        Contains: ({ mode }) => (mode === 'SELECTED' ? 'chosen tickets' : 'all tickets'),
        Given: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconPlugConnected />}
      emptyTitle="No app sees this ticket"
      emptyText="A grant of its holder that contains it appears here."
    />
  );
}

const LISTINGS = graphql(`
  query TicketListings($permitId: ID!, ${PAGE.variables}) {
    listings(permitId: $permitId, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id price outcome marketplace openedAt closedAt }
    }
  }
`);

/** When and for how much the ticket was on sale. */
export function TicketListings({ permitId }: { permitId: string }) {
  const list = useList({
    document: LISTINGS,
    variables: (page) => ({ permitId, ...page }),
    connection: ({ listings }) => listings,
  });
  return (
    <ListTable
      caption="Listings"
      list={list}
      href={({ id }) => `/listings/${id}`}
      columns={{
        Price: ({ price }) => inSol(price),
        State: ({ outcome }) => <ListingStateMark outcome={outcome} />,
        Marketplace: ({ marketplace }) => <IdChip id={marketplace} />,
        Opened: ({ openedAt }) => <Moment at={openedAt} />,
        Closed: ({ closedAt }) => (closedAt === null ? 'still open' : <Moment at={closedAt} />),
      }}
      emptyIcon={<IconTag />}
      emptyTitle="It was never on sale"
      emptyText="A listing appears when the ticket is for sale onchain."
    />
  );
}

const CLAIMS = graphql(`
  query TicketClaims($permitId: ID!, ${PAGE.variables}) {
    claims(permitId: $permitId, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id state stuck setAside nextAttemptAt signature createdAt
        grant { client { name } fan { id phone testUser { phone } } }
      }
    }
  }
`);

/** Signed transfers of the ticket. */
export function TicketClaims({ permitId }: { permitId: string }) {
  const list = useList({
    document: CLAIMS,
    variables: (page) => ({ permitId, ...page }),
    connection: ({ claims }) => claims,
  });
  return (
    <ListTable
      caption="Claims"
      list={list}
      href={({ id }) => `/claims/${id}`}
      columns={{
        Client: ({ grant }) => grant.client.name,
        State: (claim) => <ClaimProgress claim={claim} />,
        Fan: ({ grant }) => <Holder of={grant.fan} />,
        Signature: ({ signature }) => <IdChip id={signature} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconTransfer />}
      emptyTitle="No claims"
      emptyText="A claim moves the ticket with a transfer that a partner’s app signed."
    />
  );
}
