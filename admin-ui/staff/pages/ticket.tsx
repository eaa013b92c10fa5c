import { Radio, Stack, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { ConfirmButton, DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert, useNamed } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inZone, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { TakeOffSale } from '../fan/sales.tsx';
import { Holder, nameOfTicket } from '../fan/tickets.tsx';
import { TicketHistory } from '../inventory/history.tsx';
import { ONCHAIN, OnchainSection } from '../inventory/onchain-section.tsx';
import { resaleOf } from '../inventory/resale.tsx';
import { useTicketRow } from '../inventory/rows.ts';
import { TicketStatusMark } from '../inventory/states.tsx';
import { storyOf } from '../places.ts';
import { MoveOut } from '../proposal/move-out.tsx';
import { ClaimsOf } from './claims.tsx';
import { TicketGrants } from './grants.tsx';
import { PermitListings } from './listings.tsx';

const TICKET = graphql(
  `
  query Ticket($id: ID!) {
    ticket(id: $id) {
      id reference status usedAt label tixTicketId purchasedAt
      owner { id phone walletAddress testUser { phone } }
      namedHolder { id phone testUser { phone } }
      ticketType {
        id name reference resale
        event { id name mode reference status startsAt timeZone resaleUntil }
      }
      permit {
        ...Onchain
        openProposals { id }
      }
    }
  }
`,
  [ONCHAIN],
);

type TicketData = NonNullable<ResultOf<typeof TICKET>['ticket']>;
/** A ticket as its rows name it. */
interface NamedTicket extends Pick<TicketData, 'status' | 'owner'> {
  reference: string;
  ticketType: { reference: string; event: { reference: string; status: 'SCHEDULED' | 'CANCELLED' } };
}

/** One ticket: who holds it, what the chain shows, and who may see it. `?tab=` names the list. */
export function TicketPage() {
  const { view, found: ticket, instead } = useNamed('ticket', TICKET, (data) => data.ticket);
  if (!ticket) return instead;
  const { permit, owner, namedHolder, ticketType } = ticket;
  const { event } = ticketType;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[
        { title: 'Tickets', href: '/tickets' },
        { title: event.name, href: `/events/${event.id}` },
      ]}
      mode={event.mode}
      marks={<TicketStatusMark state={ticket.status} />}
      actions={<Actions ticket={ticket} />}
    >
      <FailureAlert failure={view.error} title="The ticket could not be refreshed" retry={view.refetch} />
      <Section title="Ticket">
        <Facts
          of={{
            Holder: <Holder of={owner} />,
            'Named by the company':
              namedHolder && namedHolder.id !== owner?.id ? <Holder of={namedHolder} /> : undefined,
            Event: <ViewLink href={`/events/${event.id}`}>{event.name}</ViewLink>,
            'Event starts': inZone(event.startsAt, event.timeZone),
            'Ticket type': (
              <ViewLink href={`/tickets?event=${event.id}&type=${ticketType.id}`}>{ticketType.name}</ViewLink>
            ),
            Resale: resaleOf(ticketType),
            Seat: ticket.label ?? undefined,
            Bought: <Moment at={ticket.purchasedAt} />,
            Used: ticket.usedAt === null ? undefined : <Moment at={ticket.usedAt} />,
            Reference: ticket.reference === null ? undefined : <CopyText text={ticket.reference} label="reference" />,
            'Ticket ID': <CopyText text={ticket.id} label="ticket ID" />,
            'Onchain ticket ID': <CopyText text={ticket.tixTicketId} label="onchain ticket ID" />,
          }}
        />
      </Section>
      {permit && (
        <OnchainSection
          permit={permit}
          owner={owner}
          link={<ViewLink href={`/permits/${permit.id}`}>The permit</ViewLink>}
        />
      )}
      <PageTabs
        tabs={[
          { name: 'grants', title: 'Grants', content: <TicketGrants ticketId={ticket.id} /> },
          ...(permit
            ? [
                { name: 'listings', title: 'Listings', content: <PermitListings permitId={permit.id} /> },
                {
                  name: 'claims',
                  title: 'Claims',
                  content: <ClaimsOf of={{ permitId: permit.id }} without={['Ticket', 'Changed']} />,
                },
              ]
            : []),
          { name: 'history', title: 'History', content: <TicketHistory id={ticket.id} /> },
        ]}
      />
    </Page>
  );
}

/** What staff can do with a ticket of production. Test tickets are changed by their permit. */
function Actions({ ticket }: { ticket: TicketData }) {
  const { permit, reference, ticketType } = ticket;
  const { event } = ticketType;
  const named =
    reference !== null && ticketType.reference !== null && event.reference !== null
      ? {
          ...ticket,
          reference,
          ticketType: { reference: ticketType.reference, event: { ...event, reference: event.reference } },
        }
      : undefined;
  return (
    <>
      <LinkButton href={storyOf(ticket.id)}>Timeline</LinkButton>
      <TakeOffSale ticketId={ticket.id} sale={permit?.listings.find(({ outcome }) => outcome === null) ?? null} />
      {named && permit && (
        <>
          <MoveOut permit={{ ...permit, ticket }} openProposal={permit.openProposals[0]?.id} />
          <GiveTicket ticket={named} isIssued={permit.issuedAt !== null} />
          <WithdrawTicket ticket={named} />
        </>
      )}
    </>
  );
}

/** What every row of a ticket must say. */
function rowOf({ reference, ticketType }: NamedTicket) {
  return { reference, ticketType: ticketType.reference, event: ticketType.event.reference };
}

/** Withdraws a ticket as refunded or void, or lets it count again. */
function WithdrawTicket({ ticket }: { ticket: NamedTicket }) {
  const upsert = useTicketRow();
  if (ticket.status !== 'VALID') {
    return (
      <ConfirmButton
        right="inventory:write"
        title="Restore the ticket"
        confirmLabel="Restore"
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await upsert({ ...rowOf(ticket), status: 'valid' }, reason);
          notify('The ticket counts again.');
        }}
      >
        {ticket.ticketType.event.status === 'CANCELLED'
          ? 'Its event is cancelled, so it stays hidden until the event is reinstated.'
          : 'Its holder and their apps see it again, and its permit counts. It is not added to grants of chosen tickets again.'}
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      right="tickets:take"
      fresh
      title="Withdraw the ticket"
      confirmLabel="Withdraw"
      failureTitle="The ticket was not withdrawn"
      dangerous
      field={{
        initial: 'refunded',
        input: (props) => (
          <Radio.Group label="Why it ends" {...props}>
            <Stack gap="xs" mt="xs">
              <Radio value="refunded" label="Refunded" description="The holder gets the money back." />
              <Radio value="void" label="Void" description="It was never valid, or is no longer." />
            </Stack>
          </Radio.Group>
        ),
      }}
      reason={{ label: 'Reason' }}
      run={async (reason, status) => {
        const changed = await upsert({ ...rowOf(ticket), status }, reason);
        if (changed !== undefined) notify(status === 'void' ? 'The ticket is void.' : 'The ticket is refunded.');
      }}
    >
      Its holder and their apps no longer see it. Its permit stops counting, grants of chosen tickets lose it, and an
      open listing is closed onchain. Money is not moved by this.
    </ConfirmButton>
  );
}

interface GiveTicketProps {
  ticket: NamedTicket;
  /** Whether its permit is onchain, so that it moves there first. */
  isIssued: boolean;
}

/** Gives a ticket to another fan. */
function GiveTicket({ ticket, isIssued }: GiveTicketProps) {
  return (
    <DialogButton
      right="tickets:take"
      fresh
      disabledReason={ticket.owner === null ? 'The ticket is in a wallet outside this service.' : undefined}
      dialog={(close) => <GiveDialog ticket={ticket} isIssued={isIssued} onClose={close} />}
    >
      Give to another holder
    </DialogButton>
  );
}

/** Without a draft, which would keep a phone number. */
function GiveDialog({ ticket, isIssued, onClose }: GiveTicketProps & { onClose: () => void }) {
  const upsert = useTicketRow();
  const form = useSendForm({
    initialValues: { holder: '', reason: '' },
    validate: {
      holder: (text) => (text.trim() === '' ? 'Enter a phone number or a fan ID.' : null),
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async (values) => {
      const holder = values.holder.trim();
      const named = holder.startsWith('usr_') ? { holderFanId: holder } : { holderPhone: holder };
      const changed = await upsert({ ...rowOf(ticket), ...named }, values.reason.trim());
      if (changed !== undefined) notify(toldOf(changed, isIssued));
    },
    onClose,
  });
  return (
    <FormDialog
      title="Give the ticket to another holder"
      confirmLabel="Give"
      failureTitle="The ticket was not given"
      dangerous
      form={form}
    >
      <Text size="sm">
        {isIssued
          ? `The permit moves to the other wallet onchain first; an open listing is closed with it. Then ${ticket.owner?.phone ?? 'the holder'} and their apps no longer see the ticket.`
          : `${ticket.owner?.phone ?? 'The holder'} and their apps no longer see the ticket. Its permit is issued to the new holder.`}
      </Text>
      <TextInput
        label="New holder"
        description="A phone number with + and the country code, or a fan ID. A number that never signed in gets a fan and a wallet."
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('holder')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

function toldOf(changed: boolean, isIssued: boolean): string {
  if (!changed) return 'The ticket has this holder already.';
  return isIssued ? 'The permit moves onchain; the ticket changes its holder then.' : 'The ticket has a new holder.';
}
