import { IconTicket } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { useState } from 'react';
import { PARTNER_FILTER, TEST_EVENT_FILTER } from '../choosing/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { AddButton, useFormInAddress } from '../parts/add-button.tsx';
import { idFilter, searchFilter, selectFilter } from '../parts/filters.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';
import { ChosenPermits } from '../sandbox/chosen-permits.tsx';
import { GrantPermits } from '../sandbox/grant-permits.tsx';
import { PERMIT_STATE_OPTIONS, PermitStateMark } from '../sandbox/permit-state.tsx';
import { CHAIN_OPTIONS, UnreadNote } from '../sandbox/unread-permit.tsx';

const PERMITS = graphql(`
  query Permits(
    $search: String, $partnerId: ID, $eventId: ID, $fanId: ID, $state: PermitState, $unread: Boolean, $sort: AgeSort, ${PAGE.variables}
  ) {
    permits(
      search: $search, partnerId: $partnerId, eventId: $eventId, fanId: $fanId, state: $state, unread: $unread, sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id state createdAt
        unread { reason retryAt }
        partner { id name }
        ticket {
          id
          owner { id phone testUser { phone } }
          ticketType { name event { id name mode } }
        }
      }
    }
  }
`);

type Variables = Required<VariablesOf<typeof PERMITS>>;

/** All permits, filtered by holder, event and state. `?grant=1` opens the form for new ones. */
export function PermitsPage() {
  const list = useList({
    document: PERMITS,
    filters: {
      search: searchFilter('Search permits', 'ID, address or part of the event’s name'),
      partner: PARTNER_FILTER,
      event: TEST_EVENT_FILTER,
      state: selectFilter('State', PERMIT_STATE_OPTIONS),
      chain: selectFilter('Onchain state', CHAIN_OPTIONS),
      fan: idFilter('Fan'),
    },
    sorts: { Created: 'CREATED' },
    // those that wait for somebody are a queue
    usualSort: ({ chain, state }) => (chain === 'unread' || state === 'WAITING' ? 'CREATED' : 'CREATED_DESC'),
    variables: (page, { search, partner, event, fan, state, chain }, sort) => ({
      ...page,
      sort,
      search,
      partnerId: partner,
      eventId: event,
      fanId: fan,
      state: state as Variables['state'],
      unread: chain === null ? null : chain === 'unread',
    }),
    connection: ({ permits }) => permits,
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const form = useFormInAddress('grant', 'sandbox:write');
  // what another page shows is not chosen
  const chosenHere = (list.connection?.nodes ?? []).filter(({ id }) => chosen.has(id));
  const { partner, event, fan } = list.values;

  return (
    <ListPage
      title="Permits"
      description="A permit is the onchain right to a ticket. Grant and revoke test permits here. Production permits come from the chain."
      add={<AddButton label="Grant permits" right="sandbox:write" onClick={form.open} />}
      list={list}
      above={chosenHere.length > 0 && <ChosenPermits permits={chosenHere} onDone={() => setChosen(new Set())} />}
      href={({ id }) => `/permits/${id}`}
      choice={{
        chosen,
        onChange: setChosen,
        nameOf: ({ id, ticket }) => `Select ${nameOfTicket(ticket)}, ${id}`,
        isOpen: ({ ticket }) => ticket.ticketType.event.mode === 'SANDBOX',
      }}
      columns={{
        Ticket: ({ ticket }) => nameOfTicket(ticket),
        Mode: ({ ticket }) => <ModeMark mode={ticket.ticketType.event.mode} />,
        State: ({ state, unread }) => (
          <>
            <PermitStateMark state={state} />
            {unread && <UnreadNote unread={unread} />}
          </>
        ),
        Holder: ({ ticket }) => <Holder of={ticket.owner} />,
        Partner: (permit) => permit.partner?.name ?? 'All partners',
        Permit: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconTicket />}
      emptyTitle="No permits yet"
      emptyText="Grant a test user a permit, and the ticket appears in the partner’s GET /tickets. You need a test user and a test event; a starter kit creates everything in one step."
    >
      {form.isOpen && (
        <GrantPermits partnerId={partner ?? ''} eventId={event ?? ''} fanId={fan ?? ''} onClose={form.close} />
      )}
    </ListPage>
  );
}
