import { SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { notify } from '../parts/undo.tsx';
import { useSendForm } from '../parts/use-send-form.ts';

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on Event { id name } }
  }
`);

interface CreateTestEventProps {
  partnerId: string;
  onClose: () => void;
}

/** Makes a test event with its ticket types. Times are in UTC, as everywhere in the service. */
export function CreateTestEvent({ partnerId, onClose }: CreateTestEventProps) {
  const create = useChange(CREATE_TEST_EVENT);
  const form = useSendForm({
    initialValues: {
      name: '',
      venue: '',
      startsAt: dayAhead(30, '18:00'),
      endsAt: dayAhead(30, '22:00'),
      ticketTypes: ['Standing', 'Seated'],
      partnerId,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name.' : null),
      startsAt: (startsAt) => (startsAt === '' ? 'Say when it starts.' : null),
      endsAt: (endsAt, { startsAt }) => (endsAt > startsAt ? null : 'It must end after it starts.'),
      ticketTypes: (types) => (types.length === 0 ? 'Name at least one.' : null),
    },
    send: async (values) => {
      const event = await create.mutateAsync({
        input: {
          name: values.name.trim(),
          venue: values.venue.trim() || null,
          startsAt: utcOf(values.startsAt),
          endsAt: utcOf(values.endsAt),
          ticketTypes: values.ticketTypes,
          partnerId: values.partnerId || null,
        },
      });
      notify(`${event.name} is made. Grant permits to give test users tickets.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Make a test event"
      confirmLabel="Make"
      failureTitle="The event was not made"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Test users read it among their tickets."
        required
        data-autofocus
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <TextInput label="Venue" maxLength={200} {...form.getInputProps('venue')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput type="datetime-local" label="Starts (UTC)" required {...form.getInputProps('startsAt')} />
        <TextInput type="datetime-local" label="Ends (UTC)" required {...form.getInputProps('endsAt')} />
      </SimpleGrid>
      <TagsInput
        label="Ticket types"
        description="Enter or a comma ends a name. 1 to 50."
        required
        maxTags={50}
        acceptValueOnBlur
        {...form.getInputProps('ticketTypes')}
      />
      <FindSelect
        label="For"
        description="The only partner that may use it; every one where it is left empty."
        {...form.getInputProps('partnerId')}
        value={form.values.partnerId}
        useFound={usePartners}
        nothingFound="No partner has this in its name."
      />
    </FormDialog>
  );
}

/** A time some days from now, as the value of a `datetime-local` field. */
function dayAhead(days: number, time: string): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
}

/** The value of such a field as ISO 8601. */
function utcOf(field: string): string {
  return new Date(`${field}Z`).toISOString();
}
