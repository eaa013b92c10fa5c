import { CalendarIcon } from '@heroicons/react/24/outline';
import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog } from '../parts/dialog.tsx';
import { useSendForm } from '../parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../parts/list.tsx';
import { notify } from '../parts/notify.tsx';
import type { List } from '../parts/use-list.tsx';
import { IdChip, inZone, Moment, StateMark } from '../parts/values.tsx';
import { dayAhead, EVENT_RULES, EventFields, eventOf } from './event-fields.tsx';
import { ownTimeZone } from './zoned-time.ts';

export const WHEN_OPTIONS = [
  { value: 'no', label: 'Upcoming' },
  { value: 'yes', label: 'Over' },
];

/** The state of a test event: a new one is registered on the test network a moment after it was made. */
function EventState({ endsAt, registeredAt }: { endsAt: string; registeredAt: string | null }) {
  if (new Date(endsAt).getTime() < Date.now()) return <StateMark tone="quiet">over</StateMark>;
  if (registeredAt === null) return <StateMark tone="waiting">not onchain yet</StateMark>;
  return <StateMark tone="good">upcoming</StateMark>;
}

interface TestEvent {
  id: string;
  name: string;
  venue: string | null;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  registeredAt: string | null;
  createdAt: string;
  ticketTypes: readonly { name: string }[];
}

type Wish = ReturnType<typeof eventOf> & { ticketTypes: string[]; partnerId: string };

interface TestEventsPageProps<Row> {
  list: List<Row>;
  description: string;
  /** Whose an event is, with the header of that column; and the header of its identifier. */
  owner: readonly [header: string, of: (row: Row) => ReactNode];
  idHeader: string;
  /** Whose it is at first; empty for everybody's, or where it is not asked. */
  partnerId: string;
  /** The field that asks whose it is. */
  ownerField?: (field: { value: string; onChange: (id: string) => void }) => ReactNode;
  create: (wish: Wish) => Promise<{ name: string }>;
}

/** Events of the sandbox with their ticket types. `?create=1` opens the form. */
export function TestEventsPage<Row extends TestEvent>(props: TestEventsPageProps<Row>) {
  const { list, description, owner, idHeader, ...form } = props;
  const { isOpen, open, close } = useFormInAddress('create', 'sandbox:write', ['partner']);
  return (
    <ListPage
      title="Test events"
      description={description}
      add={<AddButton label="Create a test event" right="sandbox:write" onClick={open} />}
      list={list}
      href={({ id }) => `/permits?event=${id}`}
      columns={{
        Name: ({ name }) => name,
        Starts: ({ startsAt, timeZone }) => <span className="one-line">{inZone(startsAt, timeZone)}</span>,
        State: (event) => <EventState {...event} />,
        'Ticket types': ({ ticketTypes }) => ticketTypes.map(({ name }) => name).join(', '),
        [owner[0]]: owner[1],
        Venue: ({ venue }) => venue ?? '',
        [idHeader]: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<CalendarIcon />}
      emptyTitle="No test events yet"
      emptyText="An event has ticket types, such as standing and seated. A permit gives a test user a ticket of one type."
    >
      {isOpen && <CreateTestEvent {...form} onClose={close} />}
    </ListPage>
  );
}

interface CreateTestEventProps extends Pick<TestEventsPageProps<never>, 'partnerId' | 'ownerField' | 'create'> {
  onClose: () => void;
}

function CreateTestEvent({ partnerId, ownerField, create, onClose }: CreateTestEventProps) {
  const form = useSendForm({
    initialValues: {
      name: '',
      venue: '',
      timeZone: ownTimeZone(),
      startsAt: dayAhead(30, '20:00'),
      endsAt: dayAhead(30, '23:00'),
      ticketTypes: ['Standing', 'Seated'],
      partnerId,
    },
    draft: `test-event.${partnerId}`,
    validate: {
      ...EVENT_RULES,
      ticketTypes: (types) => (types.length === 0 ? 'Enter at least one ticket type.' : null),
    },
    send: async (values) => {
      const { ticketTypes, partnerId: owner } = values;
      const { name } = await create({ ...eventOf(values), ticketTypes, partnerId: owner });
      notify(`${name} is created. Grant permits to give test users tickets.`);
    },
    onClose,
  });
  return (
    <FormDialog
      title="Create a test event"
      confirmLabel="Create"
      failureTitle="The test event was not created"
      form={form}
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
      {ownerField?.({ ...form.getInputProps('partnerId'), value: form.values.partnerId })}
    </FormDialog>
  );
}
