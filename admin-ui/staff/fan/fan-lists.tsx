import { IconLogin2, IconPlugConnected, IconTag, IconTicket, IconTransfer } from '@tabler/icons-react';
import { PAGE } from '../../kit/data/view.ts';
import { ListTable } from '../../kit/parts/list.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { IdChip, inZone, Moment } from '../../kit/parts/values.tsx';
import { PermitStateMark } from '../../kit/sandbox/permits.tsx';
import { graphql } from '../data/graphql.ts';
import { RevokeGrant } from './revoke-grant.tsx';
import { ClaimProgress, GrantStateMark, inSol, ListingStateMark, LoginStepMark, nameOfTicket } from './tickets.tsx';

/** The lists of a fan's page, one for each tab. */
interface FanListProps {
  fanId: string;
}

const GRANTS = graphql(`
  query FanGrants($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      grants(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id actions mode createdAt revokedAt revokedReason client { id name } }
      }
    }
  }
`);

/** What the fan allowed which client. */
export function FanGrants({ fanId }: FanListProps) {
  const list = useList({
    document: GRANTS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.grants,
  });
  return (
    <ListTable
      caption="Grants"
      list={list}
      href={({ id }) => `/grants/${id}`}
      columns={{
        Client: ({ client }) => client.name,
        State: (grant) => <GrantStateMark grant={grant} />,
        Allows: ({ actions }) => actions.join(', ') || 'Sign-in only',
        Tickets: ({ mode }) => (mode === 'SELECTED' ? 'some' : 'all'),
        Given: ({ createdAt }) => <Moment at={createdAt} />,
        Access: (grant) => <RevokeGrant grant={grant} size="compact-sm" />,
      }}
      emptyIcon={<IconPlugConnected />}
      emptyTitle="No grants"
      emptyText="A grant is created when the fan signs in to a partner’s app and allows its request."
    />
  );
}

const SESSIONS = graphql(`
  query FanSessions($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      sessions(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id step codesSent wrongTries createdAt expiresAt client { id name } }
      }
    }
  }
`);

/** Sign-ins that got as far as the phone number. */
export function FanSessions({ fanId }: FanListProps) {
  const list = useList({
    document: SESSIONS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.sessions,
  });
  return (
    <ListTable
      caption="Sign-ins"
      list={list}
      href={({ id }) => `/timeline?search=${id}`}
      columns={{
        Client: ({ client }) => client.name,
        'Last step': (session) => <LoginStepMark {...session} />,
        'Codes sent': ({ codesSent }) => codesSent,
        'Wrong codes': ({ wrongTries }) => wrongTries,
        Session: ({ id }) => <IdChip id={id} />,
        Begun: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      numeric={['Codes sent', 'Wrong codes']}
      emptyIcon={<IconLogin2 />}
      emptyTitle="No recent sign-ins"
      emptyText="Sign-ins are kept for a short time. Completed ones appear under Grants."
    />
  );
}

const TICKETS = graphql(`
  query FanTickets($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      tickets(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id purchasedAt permit { id state } ticketType { name event { name startsAt timeZone } } }
      }
    }
  }
`);

/** What the fan holds now. */
export function FanTickets({ fanId }: FanListProps) {
  const list = useList({
    document: TICKETS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.tickets,
  });
  return (
    <ListTable
      caption="Tickets"
      list={list}
      href={({ id }) => `/tickets/${id}`}
      columns={{
        Ticket: nameOfTicket,
        Permit: ({ permit }) => (permit ? <PermitStateMark state={permit.state} /> : 'none'),
        'Event starts': ({ ticketType }) => inZone(ticketType.event.startsAt, ticketType.event.timeZone),
        'Ticket ID': ({ id }) => <IdChip id={id} />,
        Bought: ({ purchasedAt }) => <Moment at={purchasedAt} />,
      }}
      emptyIcon={<IconTicket />}
      emptyTitle="No tickets"
      emptyText="In the sandbox, a permit gives a test user a ticket. Production tickets come from the company’s own systems."
    />
  );
}

const LISTINGS = graphql(`
  query FanListings($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      listings(${PAGE.args}) {
        ${PAGE.fields}
        nodes {
          id price outcome marketplace openedAt
          permit { ticket { ticketType { name event { name } } } }
        }
      }
    }
  }
`);

/** Listings of what the fan holds, and of what was listed in the fan's name. */
export function FanListings({ fanId }: FanListProps) {
  const list = useList({
    document: LISTINGS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.listings,
  });
  return (
    <ListTable
      caption="Listings"
      list={list}
      href={({ id }) => `/listings/${id}`}
      columns={{
        Ticket: ({ permit }) => nameOfTicket(permit.ticket),
        State: ({ outcome }) => <ListingStateMark outcome={outcome} />,
        Price: ({ price }) => inSol(price),
        Marketplace: ({ marketplace }) => <IdChip id={marketplace} />,
        Opened: ({ openedAt }) => <Moment at={openedAt} />,
      }}
      numeric={['Price']}
      emptyIcon={<IconTag />}
      emptyTitle="No listings"
      emptyText="A listing appears when one of this fan’s tickets is for sale onchain."
    />
  );
}

const CLAIMS = graphql(`
  query FanClaims($id: ID!, ${PAGE.variables}) {
    fan(id: $id) {
      claims(${PAGE.args}) {
        ${PAGE.fields}
        nodes {
          id state stuck setAside nextAttemptAt signature updatedAt
          grant { client { name } }
          permit { ticket { ticketType { name event { name } } } }
        }
      }
    }
  }
`);

/** Tickets that the fan claimed by signed transfers. */
export function FanClaims({ fanId }: FanListProps) {
  const list = useList({
    document: CLAIMS,
    variables: (page) => ({ id: fanId, ...page }),
    connection: ({ fan }) => fan?.claims,
  });
  return (
    <ListTable
      caption="Claims"
      list={list}
      href={({ id }) => `/claims/${id}`}
      columns={{
        Ticket: ({ permit }) => nameOfTicket(permit.ticket),
        State: (claim) => <ClaimProgress claim={claim} />,
        Client: ({ grant }) => grant.client.name,
        Signature: ({ signature }) => <IdChip id={signature} />,
        Changed: ({ updatedAt }) => <Moment at={updatedAt} />,
      }}
      emptyIcon={<IconTransfer />}
      emptyTitle="No claims"
      emptyText="A claim is a signed ticket transfer that a client submits to be sent to the chain."
    />
  );
}
