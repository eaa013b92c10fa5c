import { MultiSelect, Select } from '@mantine/core';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { GrantDialog, MOST_PERMITS, useGrantForm } from '../../kit/sandbox/permits.tsx';

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
  const { mutateAsync: grant } = useChange(GRANT);
  const choices = useView('permit-choices', CHOICES, {});
  const events = choices.data?.testEvents.nodes ?? [];
  const users = choices.data?.testUsers.nodes ?? [];
  const form = useGrantForm({ partnerId: null, eventId, fanId }, grant, onClose);
  const { values, getInputProps, setFieldValue } = form;
  return (
    <GrantDialog
      form={form}
      isWaiting={choices.data === undefined}
      ticketTypes={events.find(({ id }) => id === values.eventId)?.ticketTypes}
      users={
        <MultiSelect
          label="Test users"
          description="Your 50 newest."
          required
          searchable
          hidePickedOptions
          maxValues={MOST_PERMITS}
          data={users.map(({ id, phone }) => ({ value: id, label: phone }))}
          nothingFoundMessage={choices.data && 'No matching test user.'}
          {...getInputProps('fanIds')}
        />
      }
    >
      <FailureAlert
        failure={choices.error}
        title="Test events and test users could not be loaded"
        retry={choices.refetch}
      />
      <Select
        label="Test event"
        description="Your 50 newest that are not over."
        required
        searchable
        data-autofocus
        openOnFocus={false}
        data={events.map(({ id, name, startsAt }) => ({ value: id, label: `${name} (${startsAt.slice(0, 10)})` }))}
        nothingFoundMessage={choices.data && 'No matching test event.'}
        {...getInputProps('eventId')}
        onChange={(next) => {
          setFieldValue('eventId', next ?? '');
          setFieldValue('ticketTypeId', '');
        }}
      />
    </GrantDialog>
  );
}
