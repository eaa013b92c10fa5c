import { Group } from '@mantine/core';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inZone, Moment } from '../../kit/parts/values.tsx';
import { type PermitState, PermitStateMark, RevokePermits, usePermitChanges } from '../../kit/sandbox/permits.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, inSol, ListingStateMark, nameOfTicket, PartnerLink } from '../fan/tickets.tsx';
import { ONCHAIN, OnchainSection } from '../inventory/onchain-section.tsx';
import { storyOf } from '../places.ts';
import { MoveOut } from '../proposal/move-out.tsx';

const PERMIT = graphql(
  `
  query Permit($id: ID!) {
    permit(id: $id) {
      ...Onchain
      createdAt
      partner { id name }
      ticket {
        id reference tixTicketId purchasedAt
        owner { id phone walletAddress testUser { phone } }
        ticketType { name event { id name mode startsAt timeZone tixEventId } }
      }
    }
    claims(permitId: $id, first: 0) { totalCount }
    proposals(subject: $id, state: [PROPOSED, APPROVED], first: 1) { nodes { id state } }
  }
`,
  [ONCHAIN],
);

/** One permit: whose ticket it is, for what, and its state on the chain. */
export function PermitPage() {
  const { found, instead } = useNamed(
    'permit',
    PERMIT,
    ({ permit, claims, proposals }) => permit && { permit, claims, open: proposals.nodes[0] },
  );
  if (!found) return instead;
  const { permit, claims, open } = found;
  const { ticket } = permit;
  const { event } = ticket.ticketType;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[{ title: 'Permits', href: '/permits' }]}
      mode={event.mode}
      marks={<PermitStateMark state={permit.state} />}
      actions={
        <>
          <LinkButton href={storyOf(permit.id)}>Timeline</LinkButton>
          <MoveOut permit={permit} openProposal={open?.id} />
          <Change permit={permit} sandbox={event.mode === 'SANDBOX'} />
        </>
      }
    >
      <Section title="Permit">
        <Facts
          of={{
            Holder: <Holder of={ticket.owner} />,
            Ticket: <ViewLink href={`/tickets/${ticket.id}`}>{ticket.reference ?? 'the ticket'}</ViewLink>,
            Event: <ViewLink href={`/events/${event.id}`}>{event.name}</ViewLink>,
            'Event starts': inZone(event.startsAt, event.timeZone),
            Partner: <PartnerLink of={permit.partner} />,
            Created: <Moment at={permit.createdAt} />,
            Claims: <ViewLink href={`/claims?permit=${permit.id}`}>{claims.totalCount.toLocaleString('en')}</ViewLink>,
            'Permit ID': <CopyText text={permit.id} label="permit ID" />,
            'Ticket ID': <CopyText text={ticket.id} label="ticket ID" />,
            'Onchain ticket ID': <CopyText text={ticket.tixTicketId} label="onchain ticket ID" />,
            'Event account': <CopyText text={event.tixEventId} label="event account" />,
          }}
        />
      </Section>
      <OnchainSection permit={permit} owner={ticket.owner} />
      <Section title="Listings" description="Newest first.">
        {permit.listings.length === 0 ? (
          <span className="aside">It was never on sale.</span>
        ) : (
          <ul className="plain-list">
            {permit.listings.map(({ id: listingId, price, outcome, openedAt }) => (
              <Group key={listingId} component="li" justify="space-between" wrap="nowrap" gap="sm">
                <ViewLink href={`/listings/${listingId}`} size="sm">
                  {inSol(price)}
                </ViewLink>
                <Group component="span" justify="flex-end" gap="6px 12px" className="aside">
                  <ListingStateMark outcome={outcome} />
                  <Moment at={openedAt} />
                </Group>
              </Group>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}

/** Revokes it, or restores it. */
function Change({ permit: { id, state }, sandbox }: { permit: { id: string; state: PermitState }; sandbox: boolean }) {
  const changes = usePermitChanges();
  const permission = sandbox
    ? { right: 'sandbox:write' }
    : { disabledReason: 'A permit of production follows its ticket: withdraw or restore the ticket.' };
  if (state !== 'REVOKED')
    return <RevokePermits changes={changes} permitIds={[id]} label="Revoke" variant="default" {...permission} />;
  return (
    <ActionButton
      variant="filled"
      {...permission}
      loading={changes.isChanging}
      onClick={() => void changes.restore([id])}
    >
      Restore
    </ActionButton>
  );
}
