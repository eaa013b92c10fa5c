import { NumberInput, Select } from '@mantine/core';
import { FindSelect, type Found } from '../choosing/find-select.tsx';
import { useTestEvents } from '../choosing/use-found.ts';
import { graphql } from '../data/graphql.ts';
import { useChange, useView } from '../data/view.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { notifyWithUndo } from '../parts/undo.tsx';
import { useFields } from '../parts/use-fields.ts';
import { PartnerSelect } from '../registration/partner-select.tsx';
import { TestUsersField } from './test-users-field.tsx';
import { countPermits, usePermitChanges } from './use-permit-changes.ts';

const GRANT = graphql(`
  mutation GrantPermits($partnerId: ID!, $ticketTypeId: ID!, $fanIds: [ID!]!) {
    grantPermits(partnerId: $partnerId, ticketTypeId: $ticketTypeId, fanIds: $fanIds) {
      __typename
      ... on PermitsChanged { permits { id } }
      ... on Refusal { code message }
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

/** As many as the service grants at once. */
const MOST = 50;

interface GrantPermitsProps {
  /** What is known already; empty texts where it is not. */
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
  // somebody who is no test user can be given none
  const testUser = view.data?.fan?.testUser;
  return (
    <GrantForm
      {...props}
      fanId={testUser ? fanId : ''}
      partnerId={testUser && props.partnerId === '' ? testUser.partner.id : props.partnerId}
    />
  );
}

function GrantForm({ partnerId, eventId, fanId, onClose }: GrantPermitsProps) {
  const grant = useChange(GRANT);
  const { takeBack } = usePermitChanges();
  const form = useFields(
    { partnerId, eventId, ticketTypeId: '', fanIds: fanId === '' ? [] : [fanId], each: 1 },
    (values) => ({
      partnerId: values.partnerId === '' ? 'Choose the partner.' : undefined,
      eventId: values.eventId === '' ? 'Choose the event.' : undefined,
      ticketTypeId: values.ticketTypeId === '' ? 'Choose the ticket type.' : undefined,
      fanIds: values.fanIds.length === 0 ? 'Choose at least one.' : undefined,
      each: eachProblem(values.each, values.fanIds.length),
    }),
    async (values) => {
      const fanIds = values.fanIds.flatMap((id) => Array.from({ length: values.each }, () => id));
      const { permits } = await grant.mutateAsync({
        partnerId: values.partnerId,
        ticketTypeId: values.ticketTypeId,
        fanIds,
      });
      notifyWithUndo(`${countPermits(permits.length)} granted.`, () => takeBack(permits.map(({ id }) => id)));
      onClose();
    },
  );
  const { values, problems, set } = form;
  const usePartnersEvents = (search: string, chosen: string): Found => useTestEvents(search, chosen, values.partnerId);
  const types = useView('ticket-types', TICKET_TYPES, { id: values.eventId }, { enabled: values.eventId !== '' });
  const event = types.data?.event?.id === values.eventId ? types.data.event : undefined;
  const total = values.fanIds.length * values.each;
  return (
    <FormDialog
      title="Grant permits"
      confirmLabel={total > 0 ? `Grant ${countPermits(total)}` : 'Grant'}
      failureTitle="No permit was granted"
      form={form}
      onClose={onClose}
    >
      <PartnerSelect
        isFirst
        description="Its sandbox clients will see the tickets; others will not."
        value={values.partnerId}
        error={problems.partnerId}
        onChange={(next) => {
          set('partnerId', next);
          set('fanIds', []);
        }}
      />
      <FindSelect
        label="Test event"
        description="Those that the partner may use."
        required
        value={values.eventId}
        error={problems.eventId}
        onChange={(next) => {
          set('eventId', next);
          set('ticketTypeId', '');
        }}
        useFound={usePartnersEvents}
        nothingFound="No test event has this in its name."
      />
      <Select
        label="Ticket type"
        required
        placeholder={values.eventId === '' ? 'Choose the event first' : 'Choose'}
        disabled={event === undefined}
        data={(event?.ticketTypes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={values.ticketTypeId === '' ? null : values.ticketTypeId}
        error={problems.ticketTypeId}
        onChange={(next) => set('ticketTypeId', next ?? '')}
      />
      <TestUsersField
        partnerId={values.partnerId}
        value={values.fanIds}
        error={problems.fanIds}
        onChange={(next) => set('fanIds', next)}
      />
      <NumberInput
        label="Tickets each"
        required
        min={1}
        max={MOST}
        allowDecimal={false}
        value={values.each}
        error={problems.each}
        onChange={(next) => set('each', Number(next))}
      />
    </FormDialog>
  );
}

function eachProblem(each: number, users: number): string | undefined {
  if (each < 1) return 'At least one.';
  return each * users > MOST ? `${each * users} permits; ${MOST} at a time at most.` : undefined;
}
