import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { notify } from '../parts/undo.tsx';
import { useSendForm } from '../parts/use-send-form.ts';
import { momentIn, ownTimeZone, timeZones } from './zoned-time.ts';

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on Event { id name } }
  }
`);

interface CreateTestEventProps {
  partnerId: string;
  onClose: () => void;
}

/** Makes a test event with its ticket types. Its times are typed in the zone of the venue, in which fans read them. */
export function CreateTestEvent({ partnerId, onClose }: CreateTestEventProps) {
  const create = useChange(CREATE_TEST_EVENT);
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
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      startsAt: (startsAt) => (startsAt === '' ? 'Enter the start time.' : null),
      endsAt: (endsAt, { startsAt }) => (endsAt > startsAt ? null : 'Enter an end time after the start.'),
      ticketTypes: (types) => (types.length === 0 ? 'Enter at least one ticket type.' : null),
    },
    send: async (values) => {
      const event = await create.mutateAsync({
        input: {
          name: values.name.trim(),
          venue: values.venue.trim() || null,
          timeZone: values.timeZone,
          startsAt: momentIn(values.timeZone, values.startsAt).toISOString(),
          endsAt: momentIn(values.timeZone, values.endsAt).toISOString(),
          ticketTypes: values.ticketTypes,
          partnerId: values.partnerId || null,
        },
      });
      notify(`${event.name} is created. Grant permits to give test users tickets.`);
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
      <TextInput
        label="Name"
        description="Shown with the tickets."
        required
        data-autofocus
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <TextInput label="Venue" maxLength={200} {...form.getInputProps('venue')} />
      <Select
        label="Time zone"
        description="The venue’s time zone. The times below are in it, and fans see them in it."
        required
        searchable
        allowDeselect={false}
        data={timeZones()}
        limit={100}
        nothingFoundMessage="No matching time zone."
        comboboxProps={{ shadow: 'md' }}
        {...form.getInputProps('timeZone')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput type="datetime-local" label="Starts" required {...form.getInputProps('startsAt')} />
        <TextInput type="datetime-local" label="Ends" required {...form.getInputProps('endsAt')} />
      </SimpleGrid>
      <TagsInput
        label="Ticket types"
        description="Separate names with Enter or a comma. 1 to 50."
        required
        maxTags={50}
        acceptValueOnBlur
        {...form.getInputProps('ticketTypes')}
      />
      <FindSelect
        label="For"
        description="Only this partner can use the event. Leave empty for all partners."
        {...form.getInputProps('partnerId')}
        value={form.values.partnerId}
        useFound={usePartners}
        nothingFound="No matching partner."
      />
    </FormDialog>
  );
}

/** A time some days from now, as the value of a `datetime-local` field. */
function dayAhead(days: number, time: string): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
}
