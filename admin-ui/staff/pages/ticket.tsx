import type { ResultOf } from 'gql.tada';
import { useParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inZone, ModeMark, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, nameOfTicket } from '../fan/tickets.tsx';
import { GiveTicket, WithdrawTicket } from '../inventory/change-ticket.tsx';
import { TicketHistory } from '../inventory/history.tsx';
import { OnchainSection } from '../inventory/onchain-section.tsx';
import { TicketStatusMark } from '../inventory/states.tsx';
import { storyOf } from '../places.ts';
import { MoveOut } from '../proposal/move-out.tsx';
import { ClaimsOf } from './claims.tsx';
import { TicketGrants } from './grants.tsx';
import { PermitListings } from './listings.tsx';

const TICKET = graphql(`
  query Ticket($id: ID!) {
    ticket(id: $id) {
      id reference status tixTicketId purchasedAt
      owner { id phone walletAddress testUser { phone } }
      namedHolder { id phone testUser { phone } }
      ticketType {
        id name reference
        event { id name mode reference status startsAt timeZone }
      }
      permit {
        id tixPermitId state issuedAt revokedAt
        waiting { isSetAside reason retryAt since tries transaction }
        unread { reason since tries retryAt }
        listings { id price outcome }
        moves { id kind destination toFan { id phone testUser { phone } } origin state reason retryAt createdAt }
        openProposals { id }
      }
    }
  }
`);

/** One ticket: who holds it, what stands on the chain, and who may see it. `?tab=` names the list. */
export function TicketPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('ticket', TICKET, { id });
  const { found: ticket, instead } = findIn(view, 'ticket', (data) => data.ticket);
  if (!ticket) return instead;
  const { permit, owner, namedHolder, ticketType } = ticket;
  const { event } = ticketType;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[
        { title: 'Tickets', href: '/tickets' },
        { title: event.name, href: `/events/${event.id}` },
      ]}
      marks={
        <>
          <ModeMark mode={event.mode} />
          <TicketStatusMark status={ticket.status} />
        </>
      }
      actions={<Actions ticket={ticket} />}
    >
      <FailureAlert failure={view.error} title="The ticket could not be refreshed" retry={view.refetch} />
      <Section title="Ticket">
        <Facts
          of={{
            Holder: <Holder of={owner} />,
            'Named by the company':
              namedHolder && namedHolder.id !== owner?.id ? <Holder of={namedHolder} /> : undefined,
            Event: <ViewLink href={`/events/${event.id}`}>{event.name}</ViewLink>,
            'Event starts': inZone(event.startsAt, event.timeZone),
            'Ticket type': (
              <ViewLink href={`/tickets?event=${event.id}&type=${ticketType.id}`}>{ticketType.name}</ViewLink>
            ),
            Bought: <Moment at={ticket.purchasedAt} />,
            Reference: ticket.reference === null ? undefined : <CopyText text={ticket.reference} label="reference" />,
            'Ticket ID': <CopyText text={ticket.id} label="ticket ID" />,
            'Onchain ticket ID': <CopyText text={ticket.tixTicketId} label="onchain ticket ID" />,
          }}
        />
      </Section>
      {permit && (
        <OnchainSection
          permit={permit}
          owner={owner}
          link={<ViewLink href={`/permits/${permit.id}`}>The permit</ViewLink>}
        />
      )}
      <PageTabs
        tabs={[
          { name: 'grants', title: 'Grants', content: <TicketGrants ticketId={ticket.id} /> },
          ...(permit
            ? [
                { name: 'listings', title: 'Listings', content: <PermitListings permitId={permit.id} /> },
                {
                  name: 'claims',
                  title: 'Claims',
                  content: <ClaimsOf of={{ permitId: permit.id }} without={['Ticket', 'Changed']} />,
                },
              ]
            : []),
          { name: 'history', title: 'History', content: <TicketHistory id={ticket.id} /> },
        ]}
      />
    </Page>
  );
}

type TicketData = NonNullable<ResultOf<typeof TICKET>['ticket']>;

/** What staff can do with a ticket of production. Test tickets are changed by their permit. */
function Actions({ ticket }: { ticket: TicketData }) {
  const { permit, reference, ticketType } = ticket;
  const { event } = ticketType;
  const named =
    reference !== null && ticketType.reference !== null && event.reference !== null
      ? {
          ...ticket,
          reference,
          ticketType: { reference: ticketType.reference, event: { ...event, reference: event.reference } },
        }
      : undefined;
  return (
    <>
      <LinkButton href={storyOf(ticket.id)}>Timeline</LinkButton>
      {named && permit && (
        <>
          <MoveOut permit={{ ...permit, ticket }} openProposal={permit.openProposals[0]?.id} />
          <GiveTicket ticket={named} isIssued={permit.issuedAt !== null} />
          <WithdrawTicket ticket={named} />
        </>
      )}
    </>
  );
}
