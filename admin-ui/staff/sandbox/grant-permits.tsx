import { NumberInput, Select } from '@mantine/core';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange, useView } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { notifyWithUndo } from '../../kit/parts/undo.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { countPermits, eachError, MOST_PERMITS } from '../../kit/sandbox/permit-changes.ts';
import { FindSelect, type Found } from '../choosing/find-select.tsx';
import { useTestEvents } from '../choosing/use-found.ts';
import { graphql } from '../data/graphql.ts';
import { PartnerSelect } from '../registration/partner-select.tsx';
import { TestUsersField } from './test-users-field.tsx';
import { usePermitChanges } from './use-permit-changes.ts';

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

function GrantForm({ partnerId, eventId, fanId, onClose }: GrantPermitsProps) {
  const grant = useChange(GRANT);
  const { takeBack } = usePermitChanges();
  const form = useSendForm({
    initialValues: { partnerId, eventId, ticketTypeId: '', fanIds: fanId === '' ? [] : [fanId], each: 1 },
    draft: `permits.${partnerId}.${eventId}.${fanId}`,
    validate: {
      partnerId: (id) => (id === '' ? 'Choose the partner.' : null),
      eventId: (id) => (id === '' ? 'Choose the event.' : null),
      ticketTypeId: (id) => (id === '' ? 'Choose the ticket type.' : null),
      fanIds: (ids) => (ids.length === 0 ? 'Choose at least one.' : null),
      each: (each, { fanIds }) => eachError(each, fanIds.length),
    },
    send: async ({ eventId: _, each, ...values }) => {
      const fanIds = values.fanIds.flatMap((id) => Array.from({ length: each }, () => id));
      const { permits } = await grant.mutateAsync({ ...values, fanIds });
      notifyWithUndo(`${countPermits(permits.length)} granted.`, () => takeBack(permits.map(({ id }) => id)));
      onClose();
    },
  });
  const { values, getInputProps, setFieldValue } = form;
  const usePartnersEvents = (search: string, chosen: string): Found => useTestEvents(search, chosen, values.partnerId);
  const types = useView('ticket-types', TICKET_TYPES, { id: values.eventId }, { enabled: values.eventId !== '' });
  const event = types.data?.event?.id === values.eventId ? types.data.event : undefined;
  const total = values.fanIds.length * values.each;
  return (
    <FormDialog
      title="Grant permits"
      confirmLabel={total > 0 ? `Grant ${countPermits(total)}` : 'Grant'}
      failureTitle="No permits were granted"
      form={form}
      onClose={onClose}
    >
      <PartnerSelect
        isFirst
        description="Only this partner’s sandbox clients see the tickets."
        {...getInputProps('partnerId')}
        value={values.partnerId}
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
      <Select
        label="Ticket type"
        required
        placeholder={values.eventId === '' ? 'Choose the event first' : 'Choose'}
        disabled={event === undefined}
        data={(event?.ticketTypes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...getInputProps('ticketTypeId')}
      />
      <TestUsersField {...getInputProps('fanIds')} value={values.fanIds} partnerId={values.partnerId} />
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
