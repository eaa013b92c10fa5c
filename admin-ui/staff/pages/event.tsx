import { TagIcon } from '@heroicons/react/24/outline';
import { Group, List, Paper, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useView } from '../../kit/data/view.ts';
import { ActionButton, ConfirmButton, ConfirmDialog, DialogButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { EmptyState, FailureAlert, useNamed } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { CopyText, Quiet } from '../../kit/parts/text.tsx';
import { Facts, IdChip, inZone, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { inSol, PartnerLink } from '../fan/tickets.tsx';
import { type EditedEvent, EventForm } from '../inventory/event-form.tsx';
import { EventHistory } from '../inventory/history.tsx';
import { RESALE_CHANGE, SetBy } from '../inventory/resale.tsx';
import { useEventRow, useTicketTypeRow } from '../inventory/rows.ts';
import { EventStateMark, figure } from '../inventory/states.tsx';
import { storyOf } from '../places.ts';
import { EventTickets } from './tickets.tsx';

const EVENT = graphql(`
  query Event($id: ID!) {
    event(id: $id) {
      id mode reference name venue startsAt endsAt timeZone status cancelledAt tixEventId createdAt registeredAt closedAt closesAt
      resaleUntil ${RESALE_CHANGE}
      closing { permits closed returned waits { reason permits } }
      partner { id name }
      ticketCount { count more }
      ticketTypes { id name reference resale ${RESALE_CHANGE} }
    }
  }
`);

type EventData = NonNullable<ResultOf<typeof EVENT>['event']>;
type TicketType = EventData['ticketTypes'][number];

/** One event: facts, tickets, ticket types and history. `?tab=` names the part. */
export function EventPage() {
  const { view, found: event, instead } = useNamed('event', EVENT, (data) => data.event);
  if (!event) return instead;
  // test events have no reference
  const named = event.reference === null ? undefined : { ...event, reference: event.reference };
  return (
    <Page
      title={event.name}
      above={[{ title: 'Events', href: '/events' }]}
      mode={event.mode}
      marks={<EventStateMark event={event} />}
      actions={
        <>
          <LinkButton href={storyOf(event.id)}>Timeline</LinkButton>
          {named && (
            <>
              <DialogButton right="inventory:write" dialog={(close) => <EventForm event={named} onClose={close} />}>
                Edit
              </DialogButton>
              {event.closedAt === null && <CancelEvent event={named} />}
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
            'Resale until': (
              <>
                {event.resaleUntil === null ? 'the event ends' : inZone(event.resaleUntil, event.timeZone)}
                <SetBy change={event.resaleChange} />
              </>
            ),
            Tickets: <ViewLink href={`/tickets?event=${event.id}`}>{figure(event.ticketCount)}</ViewLink>,
            For: event.mode === 'SANDBOX' ? <PartnerLink of={event.partner} /> : undefined,
            Cancelled: event.cancelledAt === null ? undefined : <Moment at={event.cancelledAt} />,
            Created: <Moment at={event.createdAt} />,
            Onchain: event.registeredAt === null ? 'not yet' : <Moment at={event.registeredAt} />,
            Permits: event.closedAt === null ? <PermitCounts eventId={event.id} /> : undefined,
            'Closes onchain': event.closesAt === null ? undefined : <ClosesAt at={event.closesAt} />,
            'Closed onchain': event.closedAt === null ? undefined : <Moment at={event.closedAt} />,
            'Rent back': event.closing === null ? undefined : <RentBack closing={event.closing} />,
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

function ClosesAt({ at }: { at: string }) {
  if (new Date(at).getTime() < Date.now()) return 'due';
  return (
    <>
      <Moment at={at} /> or later
    </>
  );
}

const PERMITS = graphql(`
  query EventPermits($id: ID!) {
    event(id: $id) { id permits { issued waiting unneeded spared } }
  }
`);

/** How many are onchain, and what the others would cost. To count them takes a while for a big event, so the page does not wait. */
function PermitCounts({ eventId }: { eventId: string }) {
  const { data } = useView('event-permits', PERMITS, { id: eventId });
  if (!data?.event) return '…';
  const { issued, waiting, unneeded, spared } = data.event.permits;
  return (
    <Stack gap={2}>
      <span>
        {issued.toLocaleString('en')} onchain
        {waiting > 0 && ` · ${waiting.toLocaleString('en')} in the queue`}
      </span>
      {unneeded > 0 && (
        <Quiet>
          {unneeded.toLocaleString('en')} not needed: no app may list {unneeded === 1 ? 'it' : 'them'}
          {spared !== null && `, which spares ${inSol(spared)} of rent`}
        </Quiet>
      )}
    </Stack>
  );
}

/** How much of the rent of a closed event has come back, and what the rest waits for. */
function RentBack({ closing: { permits, closed, returned, waits } }: { closing: NonNullable<EventData['closing']> }) {
  return (
    <Stack gap={2}>
      <span>
        {inSol(returned)} · {closed.toLocaleString('en')} of {permits.toLocaleString('en')} permits closed
      </span>
      {waits.map(({ reason, permits }) => (
        <Quiet key={reason}>
          {permits.toLocaleString('en')} {permits === 1 ? 'waits' : 'wait'}: {reason}
        </Quiet>
      ))}
    </Stack>
  );
}

const IN_USE = graphql(`
  query EventInUse($id: ID!) {
    event(id: $id) {
      id
      inUse { tickets { count more } listings { count more } grants { count more } }
    }
  }
`);

interface CancelEventProps {
  event: EditedEvent & { status: 'SCHEDULED' | 'CANCELLED' };
}

/** Cancels an event, or takes that back. */
function CancelEvent({ event }: CancelEventProps) {
  const upsert = useEventRow();
  if (event.status === 'CANCELLED') {
    return (
      <ConfirmButton
        right="inventory:write"
        title={`Reinstate ${event.name}`}
        confirmLabel="Reinstate"
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await upsert({ ...rowOf(event), status: 'scheduled' }, reason);
          notify(`${event.name} takes place again.`);
        }}
      >
        Valid tickets come back to fans and apps, and their permits count again. Listings that were closed stay closed,
        and fans have to add the tickets to grants of chosen tickets again.
      </ConfirmButton>
    );
  }
  return (
    <DialogButton right="tickets:take" fresh dialog={(close) => <CancelDialog event={event} onClose={close} />}>
      Cancel the event
    </DialogButton>
  );
}

function CancelDialog({ event, onClose }: CancelEventProps & { onClose: () => void }) {
  const upsert = useEventRow();
  const { data, error, refetch } = useView('event-in-use', IN_USE, { id: event.id }, { staleTime: 0 });
  const inUse = data?.event?.inUse;
  return (
    <ConfirmDialog
      title={`Cancel ${event.name}`}
      confirmLabel="Cancel the event"
      cancelLabel="Keep it"
      dangerous
      isWaiting={inUse === undefined}
      reason={{ label: 'Reason', placeholder: 'The artist is ill' }}
      run={async (reason) => {
        const changed = await upsert({ ...rowOf(event), status: 'cancelled' }, reason);
        if (changed !== undefined) notify(`${event.name} is cancelled.`);
      }}
      onClose={onClose}
    >
      <FailureAlert failure={error} title="What it affects could not be read" retry={refetch} />
      {inUse === undefined ? (
        <Text size="sm" role="status">
          Counting what it affects…
        </Text>
      ) : (
        <List size="sm" spacing={4} aria-label="What happens">
          <List.Item>
            Tickets ({figure(inUse.tickets)}): fans and apps no longer see them, and their permits are withdrawn.
          </List.Item>
          <List.Item>Listings ({figure(inUse.listings)}): closed onchain.</List.Item>
          <List.Item>Grants ({figure(inUse.grants)}): they no longer show its tickets.</List.Item>
        </List>
      )}
      <Text size="sm" mt="xs">
        You can reinstate the event later. Beyond 20 tickets in a day, a second person has to approve it first.
      </Text>
    </ConfirmDialog>
  );
}

/** What a row must say of an event whose facts stay. */
function rowOf({ reference, name, venue, startsAt, endsAt, timeZone }: EditedEvent) {
  return { reference, name, venue, startsAt, endsAt, timeZone };
}

/** The ticket types of an event, which staff can add and change. */
function TicketTypes({ event }: { event: EventData }) {
  const { id, reference, ticketTypes } = event;
  const [form, setForm] = useState<{ type?: TicketType }>();
  const add = reference !== null && (
    <ActionButton right="inventory:write" onClick={() => setForm({})}>
      Add a ticket type
    </ActionButton>
  );
  return (
    <>
      {ticketTypes.length === 0 ? (
        <Paper withBorder>
          <EmptyState icon={<TagIcon />} title="No ticket types yet" actions={add}>
            Each ticket has a type, such as standing or seated. Types come with the rows of the company, or are added
            here.
          </EmptyState>
        </Paper>
      ) : (
        <Rows
          caption="Ticket types"
          rows={ticketTypes}
          columns={{
            Name: ({ name }) => name,
            Reference: (type) => type.reference ?? 'none',
            Resale: ({ resale, resaleChange }) => (
              <div>
                {resale ? 'Possible' : 'Not possible'}
                <SetBy change={resaleChange} />
              </div>
            ),
            'Ticket type': (type) => <IdChip id={type.id} />,
            Tickets: (type) => (
              <ViewLink href={`/tickets?event=${id}&type=${type.id}`}>
                See them<span className="visually-hidden">: tickets of {type.name}</span>
              </ViewLink>
            ),
            Change: (type) => (
              <ActionButton
                size="compact-sm"
                right="inventory:write"
                about={type.name}
                onClick={() => setForm({ type })}
              >
                Edit
              </ActionButton>
            ),
          }}
          without={reference === null ? ['Change'] : []}
        />
      )}
      {ticketTypes.length > 0 && add && (
        <Group justify="flex-end" mt="xs">
          {add}
        </Group>
      )}
      {form && reference !== null && (
        <TicketTypeForm event={reference} types={ticketTypes} type={form.type} onClose={() => setForm(undefined)} />
      )}
    </>
  );
}

interface TicketTypeFormProps {
  /** The reference of the event. */
  event: string;
  /** Those that the event has. */
  types: readonly TicketType[];
  type: TicketType | undefined;
  onClose: () => void;
}

function TicketTypeForm({ event, types, type, onClose }: TicketTypeFormProps) {
  const upsert = useTicketTypeRow();
  const form = useSendForm({
    initialValues: {
      reference: type?.reference ?? '',
      name: type?.name ?? '',
      resale: type?.resale ?? true,
      reason: '',
    },
    draft: `ticket-type.${event}.${type?.id ?? ''}`,
    validate: {
      reference: (text) => {
        if (text.trim() === '') return 'Enter a reference.';
        // a row with the reference of a type would change that type
        const isTaken = !type && types.some(({ reference }) => reference === text.trim());
        return isTaken ? 'Another ticket type of the event has this reference.' : null;
      },
      name: (text) => (text.trim() === '' ? 'Enter a name.' : null),
    },
    send: async (values) => {
      const name = values.name.trim();
      const row = { event, reference: values.reference.trim(), name, resale: values.resale ? 'yes' : 'no' };
      const changed = await upsert(row, values.reason.trim() || undefined);
      if (changed !== undefined)
        notify(type ? (changed ? `${name} is changed.` : 'Nothing has changed.') : `${name} is added.`);
    },
    onClose,
  });
  return (
    <FormDialog
      title={type ? `Edit ${type.name}` : 'Add a ticket type'}
      confirmLabel={type ? 'Save' : 'Add'}
      failureTitle={type ? 'The ticket type was not changed' : 'The ticket type was not added'}
      form={form}
    >
      {!type && (
        <TextInput
          label="Reference"
          description="The company’s own identifier, used in rows of tickets."
          required
          data-autofocus
          maxLength={200}
          {...form.getInputProps('reference')}
        />
      )}
      <TextInput
        label="Name"
        description="Fans see it with the ticket. It is unique within the event."
        required
        data-autofocus={type !== undefined || undefined}
        maxLength={120}
        {...form.getInputProps('name')}
      />
      <Switch
        label="Tickets can be resold"
        description="Turned off, apps can’t put them on sale, and what is on sale is taken off sale."
        {...form.getInputProps('resale', { type: 'checkbox' })}
      />
      {type?.resale && !form.values.resale && (
        <TextInput
          label="Reason"
          description="Required where some are on sale. It is added to the audit log."
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
      )}
    </FormDialog>
  );
}
