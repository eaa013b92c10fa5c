import { MultiSelect, NumberInput, Select } from '@mantine/core';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { notifyWithUndo } from '../../kit/parts/notify.tsx';
import { countPermits, eachError, MOST_PERMITS, usePermitChanges } from '../../kit/sandbox/permits.tsx';

const GRANT = graphql(`
  mutation GrantPermits($ticketTypeId: ID!, $fanIds: [ID!]!) {
    grantPermits(ticketTypeId: $ticketTypeId, fanIds: $fanIds) {
      ${REFUSAL} ... on PermitsChanged { permits { id } }
    }
  }
`);

const CHOICES = graphql(`
  query PermitChoices {
    testEvents(over: false, first: 50) { nodes { id name startsAt ticketTypes { id name } } }
    testUsers(first: 50) { nodes { id phone } }
  }
`);

interface GrantPermitsProps {
  /** Initial values; empty where unknown. */
  eventId: string;
  fanId: string;
  onClose: () => void;
}

/** Gives test users tickets of one type. */
export function GrantPermits({ eventId, fanId, onClose }: GrantPermitsProps) {
  const grant = useChange(GRANT);
  const { takeBack } = usePermitChanges();
  const choices = useView('permit-choices', CHOICES, {});
  const events = choices.data?.testEvents.nodes ?? [];
  const users = choices.data?.testUsers.nodes ?? [];
  const form = useSendForm({
    initialValues: { eventId, ticketTypeId: '', fanIds: fanId === '' ? [] : [fanId], each: 1 },
    validate: {
      eventId: (id) => (id === '' ? 'Choose the event.' : null),
      ticketTypeId: (id) => (id === '' ? 'Choose the ticket type.' : null),
      fanIds: (ids) => (ids.length === 0 ? 'Choose at least one.' : null),
      each: (each, { fanIds }) => eachError(each, fanIds.length),
    },
    send: async ({ ticketTypeId, fanIds, each }) => {
      const repeated = fanIds.flatMap((id) => Array.from({ length: each }, () => id));
      const { permits } = await grant.mutateAsync({ ticketTypeId, fanIds: repeated });
      notifyWithUndo(`${countPermits(permits.length)} granted.`, () => takeBack(permits.map(({ id }) => id)));
      onClose();
    },
  });
  const { values, getInputProps, setFieldValue } = form;
  const event = events.find(({ id }) => id === values.eventId);
  const total = values.fanIds.length * values.each;
  return (
    <FormDialog
      title="Grant permits"
      confirmLabel={total > 0 ? `Grant ${countPermits(total)}` : 'Grant'}
      failureTitle="No permits were granted"
      isWaiting={choices.data === undefined}
      form={form}
      onClose={onClose}
    >
      <Select
        label="Test event"
        description="Your 50 newest that are not over."
        required
        searchable
        data-autofocus
        openOnFocus={false}
        data={events.map(({ id, name, startsAt }) => ({ value: id, label: `${name} (${startsAt.slice(0, 10)})` }))}
        nothingFoundMessage="No matching test event."
        {...getInputProps('eventId')}
        onChange={(next) => {
          setFieldValue('eventId', next ?? '');
          setFieldValue('ticketTypeId', '');
        }}
      />
      <Select
        label="Ticket type"
        required
        placeholder={event === undefined ? 'Choose the event first' : 'Choose'}
        disabled={event === undefined}
        data={(event?.ticketTypes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...getInputProps('ticketTypeId')}
      />
      <MultiSelect
        label="Test users"
        description="Your 50 newest."
        required
        searchable
        hidePickedOptions
        maxValues={MOST_PERMITS}
        data={users.map(({ id, phone }) => ({ value: id, label: phone }))}
        nothingFoundMessage="No matching test user."
        {...getInputProps('fanIds')}
      />
      <NumberInput
        label="Tickets each"
        required
        min={1}
        max={MOST_PERMITS}
        allowDecimal={false}
        {...getInputProps('each')}
      />
    </FormDialog>
  );
}

/** The right that the parts ask for. In the workspace every member has it. */
export const SANDBOX_RIGHT = 'sandbox:write';
