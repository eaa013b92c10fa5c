import { TagsInput } from '@mantine/core';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { dayAhead, EVENT_RULES, EventFields, eventOf } from '../../kit/event/event-fields.tsx';
import { ownTimeZone } from '../../kit/event/zoned-time.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { FindSelect } from '../choosing/find-select.tsx';
import { usePartners } from '../choosing/use-found.ts';
import { graphql } from '../data/graphql.ts';

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on Event { id name } }
  }
`);

interface CreateTestEventProps {
  partnerId: string;
  onClose: () => void;
}

/** Makes a test event with its ticket types. */
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
      ...EVENT_RULES,
      ticketTypes: (types) => (types.length === 0 ? 'Enter at least one ticket type.' : null),
    },
    send: async (values) => {
      const event = await create.mutateAsync({
        input: { ...eventOf(values), ticketTypes: values.ticketTypes, partnerId: values.partnerId || null },
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
      <EventFields form={form} isFirst />
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
