import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { GrantDialog, MOST_PERMITS, useGrantForm } from '../../kit/sandbox/permits.tsx';
import { FindSelect, PartnerSelect, useTestEvents } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';

const GRANT = graphql(`
  mutation GrantPermits($partnerId: ID!, $ticketTypeId: ID!, $fanIds: [ID!]!) {
    grantPermits(partnerId: $partnerId, ticketTypeId: $ticketTypeId, fanIds: $fanIds) {
      ${REFUSAL} ... on PermitsChanged { permits { id } }
    }
  }
`);

const TICKET_TYPES = graphql(`
  query TicketTypesToChoose($id: ID!) {
    event(id: $id) { id ticketTypes { id name } }
  }
`);

const OWNER = graphql(`
  query PartnerOfTestUser($id: ID!) {
    fan(id: $id) { id testUser { phone partner { id } } }
  }
`);

interface GrantPermitsProps {
  /** Initial values; empty where unknown. */
  partnerId: string;
  eventId: string;
  fanId: string;
  onClose: () => void;
}

/** Gives test users of a partner tickets of one type. */
export function GrantPermits(props: GrantPermitsProps) {
  const { fanId } = props;
  const view = useView('partner-of-test-user', OWNER, { id: fanId }, { enabled: fanId !== '' });
  if (fanId !== '' && view.isPending) return null;
  // only test users can get permits here
  const testUser = view.data?.fan?.testUser;
  return (
    <GrantForm
      {...props}
      fanId={testUser ? fanId : ''}
      partnerId={testUser && props.partnerId === '' ? (testUser.partner?.id ?? '') : props.partnerId}
    />
  );
}

function GrantForm({ onClose, ...initial }: GrantPermitsProps) {
  const { mutateAsync: grant } = useChange(GRANT);
  const form = useGrantForm(initial, grant, onClose);
  const { values, getInputProps, setFieldValue } = form;
  const partnerId = values.partnerId ?? '';
  const usePartnersEvents = (search: string, chosen: string) => useTestEvents(search, chosen, partnerId);
  const types = useView('ticket-types', TICKET_TYPES, { id: values.eventId }, { enabled: values.eventId !== '' });
  return (
    <GrantDialog
      form={form}
      ticketTypes={types.data?.event?.id === values.eventId ? types.data.event.ticketTypes : undefined}
      users={<TestUsersField {...getInputProps('fanIds')} value={values.fanIds} partnerId={partnerId} />}
    >
      <PartnerSelect
        isFirst
        description="Only this partner’s sandbox clients see the tickets."
        {...getInputProps('partnerId')}
        value={partnerId}
        onChange={(next) => {
          setFieldValue('partnerId', next);
          setFieldValue('fanIds', []);
        }}
      />
      <FindSelect
        label="Test event"
        description="Events that the partner can use."
        required
        {...getInputProps('eventId')}
        value={values.eventId}
        onChange={(next) => {
          setFieldValue('eventId', next);
          setFieldValue('ticketTypeId', '');
        }}
        useFound={usePartnersEvents}
        nothingFound="No matching test event."
      />
    </GrantDialog>
  );
}

const FOUND = graphql(`
  query TestUsersToChoose($partnerId: ID, $search: String) {
    testUsers(partnerId: $partnerId, search: $search, first: 50) {
      nodes { id phone }
    }
  }
`);

interface TestUsersFieldProps {
  partnerId: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: string | undefined;
}

/** Chooses some of a partner's test users by their phone numbers. */
function TestUsersField({ partnerId, value, onChange, error }: TestUsersFieldProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  const { data } = useView('test-users-to-choose', FOUND, { partnerId, search: asked }, { enabled: partnerId !== '' });
  const found = new Map(partnerId === '' ? [] : (data?.testUsers.nodes ?? []).map(({ id, phone }) => [id, phone]));
  // chosen users keep their labels when the search changes
  const options = [
    ...new Map([...value.map((id): [string, string] => [id, seen.get(id) ?? found.get(id) ?? id]), ...found]),
  ];
  return (
    <MultiSelect
      label="Test users"
      description="Search by part of the phone number."
      required
      searchable
      hidePickedOptions
      maxValues={MOST_PERMITS}
      disabled={partnerId === ''}
      placeholder={partnerId === '' ? 'Choose the partner first' : value.length === 0 ? 'Choose' : undefined}
      data={options.map(([id, phone]) => ({ value: id, label: phone }))}
      filter={({ options: all }) => all}
      value={value}
      onChange={(next) => {
        setSeen(new Map(options));
        onChange(next);
      }}
      searchValue={search}
      onSearchChange={setSearch}
      error={error}
      nothingFoundMessage="No matching test user of this partner."
    />
  );
}
