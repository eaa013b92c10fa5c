import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { failureOf } from '../data/failure.ts';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { inSol } from '../fan/amount.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { ListingStateMark } from '../fan/states.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment, toTheMinute } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { notify } from '../parts/undo.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';
import { type PermitState, PermitStateMark } from '../sandbox/permit-state.tsx';
import { RevokeDialog } from '../sandbox/revoke-dialog.tsx';
import { UnreadAlert } from '../sandbox/unread-permit.tsx';
import { usePermitChanges } from '../sandbox/use-permit-changes.ts';
import { NotFoundPage } from './not-found.tsx';

const PERMIT = graphql(`
  query Permit($id: ID!) {
    permit(id: $id) {
      id tixPermitId state createdAt issuedAt revokedAt
      unread { reason since tries retryAt }
      partner { id name }
      listings { id price outcome openedAt }
      ticket {
        id tixTicketId purchasedAt
        owner { id phone testUser { phone } }
        ticketType { name event { id name mode startsAt tixEventId } }
      }
    }
    claims(permitId: $id, first: 0) { totalCount }
  }
`);

/** One permit: whose ticket it is, for what, and where it stands on the chain. */
export function PermitPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('permit', PERMIT, { id });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="The permit could not be read" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const { permit, claims } = view.data;
  if (!permit) return <NotFoundPage />;
  const { ticket } = permit;
  const { event } = ticket.ticketType;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[{ title: 'Permits', href: '/permits' }]}
      marks={
        <>
          <ModeMark mode={event.mode} />
          <PermitStateMark state={permit.state} />
        </>
      }
      actions={
        <>
          <Button component={Link} href={`/timeline?search=${permit.id}`} variant="default">
            Timeline
          </Button>
          <Change permit={permit} sandbox={event.mode === 'SANDBOX'} />
        </>
      }
    >
      {permit.unread && <UnreadAlert unread={permit.unread} />}
      <Section title="Permit">
        <Facts
          of={[
            ['Holder', <Holder key="holder" of={ticket.owner} />],
            ['Event starts', toTheMinute(event.startsAt)],
            [
              'Partner',
              permit.partner ? (
                <Anchor key="partner" component={Link} href={`/partners/${permit.partner.id}`} inherit>
                  {permit.partner.name}
                </Anchor>
              ) : (
                'every partner'
              ),
            ],
            ['Made', <Moment key="made" at={permit.createdAt} />],
            ['On the chain', permit.issuedAt === null ? 'not yet' : <Moment key="issued" at={permit.issuedAt} />],
            ...(permit.revokedAt === null
              ? []
              : [['Revoked', <Moment key="revoked" at={permit.revokedAt} />] as const]),
            [
              'Claims',
              <Anchor key="claims" component={Link} href={`/claims?permit=${permit.id}`} inherit>
                {claims.totalCount.toLocaleString('en')}
              </Anchor>,
            ],
            ['Permit id', <CopyText key="id" text={permit.id} label="permit id" labelled={false} />],
            ['Ticket id', <CopyText key="ticket" text={ticket.id} label="ticket id" labelled={false} />],
            [
              'Permit account',
              <CopyText key="account" text={permit.tixPermitId} label="permit account" labelled={false} />,
            ],
            [
              'Onchain ticket id',
              <CopyText key="tix" text={ticket.tixTicketId} label="onchain ticket id" labelled={false} />,
            ],
            ['Event account', <CopyText key="event" text={event.tixEventId} label="event account" labelled={false} />],
          ]}
        />
      </Section>
      <Section title="Listings" description="Newest first.">
        {permit.listings.length === 0 ? (
          <span className="aside">It was never on sale.</span>
        ) : (
          <ul className="plain-list">
            {permit.listings.map(({ id: listingId, price, outcome, openedAt }) => (
              <li key={listingId} className="line">
                <Anchor component={Link} href={`/listings/${listingId}`} size="sm">
                  {inSol(price)}
                </Anchor>
                <span className="marks aside">
                  <ListingStateMark outcome={outcome} />
                  <Moment at={openedAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}

/** Revokes it, or takes that back. */
function Change({ permit: { id, state }, sandbox }: { permit: { id: string; state: PermitState }; sandbox: boolean }) {
  const [asking, setAsking] = useState(false);
  const changes = usePermitChanges();
  const lacking = useDisabledReason('sandbox:write');
  const disabledReason = sandbox ? lacking : 'Production permits come from the chain and are not changed here.';
  if (state === 'REVOKED') {
    const restore = () => changes.restore([id]).catch((error: unknown) => notify(failureOf(error).message));
    return (
      <ActionButton disabledReason={disabledReason} loading={changes.isChanging} onClick={() => void restore()}>
        Restore
      </ActionButton>
    );
  }
  return (
    <>
      <ActionButton variant="default" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        Revoke
      </ActionButton>
      {asking && <RevokeDialog permitIds={[id]} onClose={() => setAsking(false)} />}
    </>
  );
}
