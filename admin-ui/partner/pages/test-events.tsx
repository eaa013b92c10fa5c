import { TagsInput } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { dayAhead, EVENT_RULES, EventFields, eventOf } from '../../kit/event/event-fields.tsx';
import { EventState, WHEN_OPTIONS } from '../../kit/event/event-state.tsx';
import { ownTimeZone } from '../../kit/event/zoned-time.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, inZone, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { SANDBOX_RIGHT } from '../sandbox/grant-permits.tsx';

const TEST_EVENTS = graphql(`
  query TestEvents($over: Boolean, ${PAGE.variables}) {
    testEvents(over: $over, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name venue startsAt timeZone endsAt registeredAt createdAt isShared ticketTypes { id name } }
    }
  }
`);

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on TestEvent { id name } }
  }
`);

/** Events of the sandbox with their ticket types. `?create=1` opens the form. */
export function TestEventsPage() {
  const list = useList({
    document: TEST_EVENTS,
    filters: { over: selectFilter('When', WHEN_OPTIONS) },
    variables: (page, { over }) => ({ ...page, over: over === null ? null : over === 'yes' }),
    connection: ({ testEvents }) => testEvents,
  });
  const form = useFormInAddress('create', SANDBOX_RIGHT);
  return (
    <ListPage
      title="Test events"
      description="The events of your sandbox tickets. Tickets are listed until the event is over."
      add={<AddButton label="Create a test event" right={SANDBOX_RIGHT} onClick={form.open} />}
      list={list}
      href={({ id }) => `/permits?event=${id}`}
      columns={{
        Name: ({ name }) => name,
        Starts: ({ startsAt, timeZone }) => <span className="one-line">{inZone(startsAt, timeZone)}</span>,
        State: (event) => <EventState {...event} />,
        'Ticket types': ({ ticketTypes }) => ticketTypes.map(({ name }) => name).join(', '),
        Whose: ({ isShared }) => (isShared ? 'Shared by all partners' : 'Yours'),
        Venue: ({ venue }) => venue ?? '',
        svc_event_id: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconCalendarEvent />}
      emptyTitle="No test events yet"
      emptyText="An event has ticket types, such as standing and seated. A permit gives a test user a ticket of one type."
    >
      {form.isOpen && <CreateTestEvent onClose={form.close} />}
    </ListPage>
  );
}

function CreateTestEvent({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE_TEST_EVENT);
  const form = useSendForm({
    initialValues: {
      name: '',
      venue: '',
      timeZone: ownTimeZone(),
      startsAt: dayAhead(30, '20:00'),
      endsAt: dayAhead(30, '23:00'),
      ticketTypes: ['Standing', 'Seated'],
    },
    draft: 'test-event',
    validate: {
      ...EVENT_RULES,
      ticketTypes: (types) => (types.length === 0 ? 'Enter at least one ticket type.' : null),
    },
    send: async (values) => {
      const { name } = await create.mutateAsync({ input: { ...eventOf(values), ticketTypes: values.ticketTypes } });
      notify(`${name} is created. Grant permits to give test users tickets.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Create a test event"
      confirmLabel="Create"
      failureTitle="The test event was not created"
      form={form}
      onClose={onClose}
    >
      <EventFields form={form} isFirst />
      <TagsInput
        label="Ticket types"
        description="Separate names with Enter or a comma. 1 to 50."
        required
        maxTags={50}
        acceptValueOnBlur
        {...form.getInputProps('ticketTypes')}
      />
    </FormDialog>
  );
}
