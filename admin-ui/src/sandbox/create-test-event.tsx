import { SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';
import { graphql } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { notify } from '../parts/undo.tsx';
import { useFields } from '../parts/use-fields.ts';

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) {
      __typename
      ... on Event { id name }
      ... on Refusal { code message }
    }
  }
`);

interface CreateTestEventProps {
  partnerId: string;
  onClose: () => void;
}

/** A test event with its ticket types. Times are of UTC, as everywhere in the service. */
export function CreateTestEvent({ partnerId, onClose }: CreateTestEventProps) {
  const create = useChange(CREATE_TEST_EVENT);
  const form = useFields(
    {
      name: '',
      venue: '',
      startsAt: dayAhead(30, '18:00'),
      endsAt: dayAhead(30, '22:00'),
      ticketTypes: ['Standing', 'Seated'],
      partnerId,
    },
    ({ name, startsAt, endsAt, ticketTypes }) => ({
      name: name.trim() === '' ? 'Give it a name.' : undefined,
      startsAt: startsAt === '' ? 'Say when it starts.' : undefined,
      endsAt: endsAt > startsAt ? undefined : 'It must end after it starts.',
      ticketTypes: ticketTypes.length === 0 ? 'Name at least one.' : undefined,
    }),
    async (values) => {
      const event = await create.mutateAsync({
        input: {
          name: values.name.trim(),
          venue: values.venue.trim() === '' ? null : values.venue.trim(),
          startsAt: momentOf(values.startsAt),
          endsAt: momentOf(values.endsAt),
          ticketTypes: values.ticketTypes,
          partnerId: values.partnerId === '' ? null : values.partnerId,
        },
      });
      notify(`${event.name} is made. Grant permits to give test users tickets.`);
      onClose();
    },
  );
  const { values, problems, set } = form;
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
        value={values.name}
        error={problems.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        label="Venue"
        maxLength={200}
        value={values.venue}
        onChange={(event) => set('venue', event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="datetime-local"
          label="Starts (UTC)"
          required
          value={values.startsAt}
          error={problems.startsAt}
          onChange={(event) => set('startsAt', event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="Ends (UTC)"
          required
          value={values.endsAt}
          error={problems.endsAt}
          onChange={(event) => set('endsAt', event.currentTarget.value)}
        />
      </SimpleGrid>
      <TagsInput
        label="Ticket types"
        description="Enter or a comma ends a name. 1 to 50."
        required
        maxTags={50}
        acceptValueOnBlur
        value={values.ticketTypes}
        error={problems.ticketTypes}
        onChange={(next) => set('ticketTypes', next)}
      />
      <FindSelect
        label="For"
        description="The only partner that may use it; every one where it is left empty."
        value={values.partnerId}
        onChange={(next) => set('partnerId', next)}
        useFound={usePartners}
        nothingFound="No partner has this in its name."
      />
    </FormDialog>
  );
}

/** A time of a day some days ahead, as a field for it has it. */
function dayAhead(days: number, time: string): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
}

/** What such a field holds, as a moment of UTC. */
function momentOf(field: string): string {
  return new Date(`${field}Z`).toISOString();
}
