import { useParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { DialogButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inZone, ModeMark, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { CancelEvent } from '../inventory/cancel-event.tsx';
import { EventForm } from '../inventory/event-form.tsx';
import { EventHistory } from '../inventory/history.tsx';
import { EventStateMark, figure } from '../inventory/states.tsx';
import { TicketTypes } from '../inventory/ticket-types.tsx';
import { storyOf } from '../places.ts';
import { EventTickets } from './tickets.tsx';

const EVENT = graphql(`
  query Event($id: ID!) {
    event(id: $id) {
      id mode reference name venue startsAt endsAt timeZone status cancelledAt tixEventId createdAt registeredAt
      partner { id name }
      ticketCount { count more }
      ticketTypes { id name reference }
    }
  }
`);

/** One event: facts, tickets, ticket types and history. `?tab=` names the part. */
export function EventPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('event', EVENT, { id });
  const { found: event, instead } = findIn(view, 'event', (data) => data.event);
  if (!event) return instead;
  // test events have no reference
  const named = event.reference === null ? undefined : { ...event, reference: event.reference };
  return (
    <Page
      title={event.name}
      above={[{ title: 'Events', href: '/events' }]}
      marks={
        <>
          <ModeMark mode={event.mode} />
          <EventStateMark event={event} />
        </>
      }
      actions={
        <>
          <LinkButton href={storyOf(event.id)}>Timeline</LinkButton>
          {named && (
            <>
              <DialogButton right="inventory:write" dialog={(close) => <EventForm event={named} onClose={close} />}>
                Edit
              </DialogButton>
              <CancelEvent event={named} />
            </>
          )}
        </>
      }
    >
      <FailureAlert failure={view.error} title="The event could not be refreshed" retry={view.refetch} />
      <Section title="Event">
        <Facts
          of={{
            Starts: inZone(event.startsAt, event.timeZone),
            Ends: inZone(event.endsAt, event.timeZone),
            'Time zone': event.timeZone,
            Venue: event.venue ?? 'not known',
            Tickets: <ViewLink href={`/tickets?event=${event.id}`}>{figure(event.ticketCount)}</ViewLink>,
            For: event.mode === 'SANDBOX' ? <OwnerOf event={event} /> : undefined,
            Cancelled: event.cancelledAt === null ? undefined : <Moment at={event.cancelledAt} />,
            Created: <Moment at={event.createdAt} />,
            Onchain: event.registeredAt === null ? 'not yet' : <Moment at={event.registeredAt} />,
            Reference: event.reference === null ? undefined : <CopyText text={event.reference} label="reference" />,
            'Event ID': <CopyText text={event.id} label="event ID" />,
            'Event account': <CopyText text={event.tixEventId} label="event account" />,
          }}
        />
      </Section>
      <PageTabs
        tabs={[
          { name: 'tickets', title: 'Tickets', content: <EventTickets eventId={event.id} /> },
          { name: 'types', title: 'Ticket types', content: <TicketTypes event={event} /> },
          { name: 'history', title: 'History', content: <EventHistory id={event.id} /> },
        ]}
      />
    </Page>
  );
}

function OwnerOf({ event: { partner } }: { event: { partner: { id: string; name: string } | null } }) {
  return partner ? <ViewLink href={`/partners/${partner.id}`}>{partner.name}</ViewLink> : 'all partners';
}
