import { Group, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/dialog.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText, Quiet } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, inSol } from '../fan/tickets.tsx';
import { pageOfId } from '../places.ts';
import { MoveStateMark } from '../proposal/proposals.tsx';
import { UnreadAlert } from '../sandbox/unread-permit.tsx';
import { PermitProgress } from './states.tsx';

export const ONCHAIN = graphql(`
  fragment Onchain on Permit {
    id tixPermitId state issuedAt revokedAt closedAt
    waiting { closes isSetAside reason retryAt since tries transaction }
    unread { reason since tries retryAt }
    listings { id price outcome openedAt move { id } }
    moves { id kind destination toFan { id phone testUser { phone } } origin state reason retryAt createdAt }
  }
`);

type OnchainData = ResultOf<typeof ONCHAIN>;
type Move = OnchainData['moves'][number];

interface OnchainSectionProps {
  permit: OnchainData;
  owner: { walletAddress: string | null } | null;
  /** Beside the title. */
  link?: ReactNode;
}

/** What the chain shows of a ticket: its permit, who holds it, whether it is on sale, and what moves. */
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
            Issued:
              permit.issuedAt !== null ? (
                <Moment at={permit.issuedAt} />
              ) : waiting?.retryAt === null ? (
                'once an app may list the ticket'
              ) : (
                'not yet'
              ),
            Closed: permit.closedAt === null ? undefined : <Moment at={permit.closedAt} />,
            'Not closed yet': waiting?.closes ? (waiting.reason ?? 'its turn comes') : undefined,
            'In the queue since':
              waiting && waiting.retryAt !== null && permit.state === 'WAITING' ? (
                <Moment at={waiting.since} />
              ) : undefined,
            'Failed tries': waiting && waiting.tries > 0 ? waiting.tries.toLocaleString('en') : undefined,
            'Transaction under way':
              waiting?.transaction != null ? (
                <CopyText text={waiting.transaction} label="transaction under way" />
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

/** What this service has moved as the owner of a permit, and where to. */
function Moves({ moves }: { moves: readonly Move[] }) {
  return (
    <ul className="plain-list">
      {moves.map((move) => (
        <Group key={move.id} component="li" justify="space-between" gap="4px 12px" align="flex-start">
          <Stack gap={2} miw={0} maw="100%">
            <Target move={move} />
            {move.reason !== null && (
              <Quiet>
                {move.reason}
                {move.retryAt !== null && (
                  <>
                    {' '}
                    Next try: <Moment at={move.retryAt} />
                  </>
                )}
              </Quiet>
            )}
            <Origin of={move.origin} />
          </Stack>
          <Group component="span" justify="flex-end" gap="6px 12px" className="aside">
            <MoveStateMark move={move} />
            <Moment at={move.createdAt} />
            {move.state === 'OPEN' && move.kind === 'TRANSFER' && <GiveUp move={move} />}
          </Group>
        </Group>
      ))}
    </ul>
  );
}

const GIVE_UP = graphql(`
  mutation GiveUpMove($moveId: ID!, $reason: String!) {
    giveUpMove(moveId: $moveId, reason: $reason) { ${REFUSAL} ... on CustodyMove { id state } }
  }
`);

function GiveUp({ move: { id } }: { move: Move }) {
  const giveUp = useChange(GIVE_UP);
  return (
    <ConfirmButton
      size="xs"
      right="proposals:decide"
      fresh
      dangerous
      title="Give up the move"
      confirmLabel="Give up"
      reason={{ label: 'Reason', description: 'It is added to the audit log.' }}
      run={async (reason) => {
        const { state } = await giveUp.mutateAsync({ moveId: id, reason });
        notify(state === 'DONE' ? 'The permit had moved already.' : 'Given up. The ticket stays where it is.');
      }}
    >
      The ticket stays with its holder, and can be moved again. This is refused while a transaction of the move may
      still land.
    </ConfirmButton>
  );
}

function Target({ move: { kind, toFan, destination } }: { move: Move }) {
  if (kind === 'CLOSE_LISTING') return <Text size="sm">Off sale</Text>;
  if (toFan !== null) {
    return (
      <Text size="sm" component="div">
        To <Holder of={toFan} />
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">To a wallet outside</Text>
      <CopyText text={destination ?? ''} label="destination" />
    </>
  );
}

function Origin({ of: origin }: { of: string }) {
  const page = pageOfId(origin);
  if (page === undefined) return <span className="aside">{origin}</span>;
  return (
    <ViewLink href={page} size="sm">
      {origin.startsWith('prop_') ? 'the proposal' : origin}
    </ViewLink>
  );
}
