import type { ReactNode } from 'react';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import type { PermitState } from '../../kit/sandbox/permit-state.tsx';
import { inSol } from '../fan/amount.ts';
import { Moves } from '../proposal/moves.tsx';
import { UnreadAlert } from '../sandbox/unread-permit.tsx';
import { PermitProgress } from './states.tsx';

interface OnchainSectionProps {
  permit: {
    id: string;
    tixPermitId: string;
    state: PermitState;
    issuedAt: string | null;
    revokedAt: string | null;
    waiting: {
      isSetAside: boolean;
      reason: string | null;
      retryAt: string;
      since: string;
      tries: number;
      transaction: string | null;
    } | null;
    unread: { reason: string; since: string; tries: number; retryAt: string } | null;
    listings: readonly { id: string; price: string; outcome: 'SOLD' | 'CANCELLED' | null }[];
    moves: Parameters<typeof Moves>[0]['moves'];
  };
  owner: { walletAddress: string | null } | null;
  /** Beside the title. */
  link?: ReactNode;
}

/** What stands on the chain of a ticket: its permit, who holds it there, whether it is on sale, and what moves. */
export function OnchainSection({ permit, owner, link }: OnchainSectionProps) {
  const { waiting, listings } = permit;
  const open = listings.find(({ outcome }) => outcome === null);
  return (
    <>
      {permit.unread && <UnreadAlert unread={permit.unread} />}
      <Section title="Onchain" actions={link} description="As last read from the chain.">
        <Facts
          of={{
            State: <PermitProgress permit={permit} />,
            Issued: permit.issuedAt === null ? 'not yet' : <Moment at={permit.issuedAt} />,
            'In the queue since': waiting && permit.state === 'WAITING' ? <Moment at={waiting.since} /> : undefined,
            'Refused tries': waiting && waiting.tries > 0 ? waiting.tries.toLocaleString('en') : undefined,
            'Issuing transaction':
              waiting?.transaction != null ? (
                <CopyText text={waiting.transaction} label="issuing transaction" />
              ) : undefined,
            Revoked: permit.revokedAt === null ? undefined : <Moment at={permit.revokedAt} />,
            'On sale': open ? <ViewLink href={`/listings/${open.id}`}>{inSol(open.price)}</ViewLink> : 'no',
            'Owner wallet':
              owner === null ? (
                'not of this service'
              ) : owner.walletAddress === null ? (
                'none'
              ) : (
                <CopyText text={owner.walletAddress} label="owner wallet" />
              ),
            'Permit account': <CopyText text={permit.tixPermitId} label="permit account" />,
          }}
        />
      </Section>
      {permit.moves.length > 0 && (
        <Section title="Moves" description="By this service, as the ticket’s owner. Newest first.">
          <Moves moves={permit.moves} />
        </Section>
      )}
    </>
  );
}
