import { Group, Paper, TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/form.ts';
import { EmptyState } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { ViewLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { IdChip } from '../../kit/parts/values.tsx';
import { atField, useTicketTypeRow } from './rows.ts';

interface TicketType {
  id: string;
  name: string;
  reference: string | null;
}

interface TicketTypesProps {
  event: { id: string; reference: string | null; ticketTypes: readonly TicketType[] };
}

/** The ticket types of an event, which staff can add and rename. */
export function TicketTypes({ event }: TicketTypesProps) {
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
          <EmptyState icon={<IconTag />} title="No ticket types yet" actions={add}>
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
            'Ticket type': (type) => <IdChip id={type.id} />,
            Tickets: (type) => (
              <ViewLink href={`/tickets?event=${id}&type=${type.id}`}>
                See them<span className="visually-hidden">: tickets of {type.name}</span>
              </ViewLink>
            ),
            Change: (type) => (
              <ActionButton size="compact-sm" right="inventory:write" onClick={() => setForm({ type })}>
                Rename<span className="visually-hidden"> {type.name}</span>
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
    initialValues: { reference: type?.reference ?? '', name: type?.name ?? '' },
    draft: `ticket-type.${event}.${type?.id ?? ''}`,
    validate: {
      reference: (text) => {
        if (text.trim() === '') return 'Enter a reference.';
        // a row with the reference of a type would rename that type
        const isTaken = !type && types.some(({ reference }) => reference === text.trim());
        return isTaken ? 'Another ticket type of the event has this reference.' : null;
      },
      name: (text) => (text.trim() === '' ? 'Enter a name.' : null),
    },
    send: async (values) => {
      const name = values.name.trim();
      try {
        await upsert({ event, reference: values.reference.trim(), name });
      } catch (error) {
        const { field, message } = atField(error, values);
        form.setFieldError(field, message);
        return MORE_TO_COME;
      }
      notify(type ? `The ticket type is now ${name}.` : `${name} is added.`);
      onClose();
      return undefined;
    },
  });
  return (
    <FormDialog
      title={type ? `Rename ${type.name}` : 'Add a ticket type'}
      confirmLabel={type ? 'Rename' : 'Add'}
      failureTitle={type ? 'The ticket type was not renamed' : 'The ticket type was not added'}
      form={form}
      onClose={onClose}
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
    </FormDialog>
  );
}
