import { Group, Stack, Text } from '@mantine/core';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { CopyText } from '../../kit/parts/copy-text.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder } from '../fan/holder.tsx';
import { pageOfId } from '../places.ts';
import { MoveStateMark } from './states.tsx';

interface Move {
  id: string;
  kind: 'TRANSFER' | 'CLOSE_LISTING';
  destination: string | null;
  toFan: { id: string; phone: string; testUser: { phone: string } | null } | null;
  origin: string;
  state: 'OPEN' | 'DONE' | 'FAILED';
  reason: string | null;
  retryAt: string | null;
  createdAt: string;
}

/** What this service has moved as the owner of a permit, and where to. */
export function Moves({ moves }: { moves: readonly Move[] }) {
  return (
    <ul className="plain-list">
      {moves.map((move) => (
        <Group key={move.id} component="li" justify="space-between" gap="4px 12px" align="flex-start">
          <Stack gap={2} miw={0} maw="100%">
            <Target move={move} />
            {move.reason !== null && (
              <Text size="sm" c="dimmed">
                {move.reason}
                {move.retryAt !== null && (
                  <>
                    {' '}
                    Next try: <Moment at={move.retryAt} />
                  </>
                )}
              </Text>
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
      variant="default"
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
      The ticket stays with whoever has it, and can be moved anew. This is refused while a transaction of the move may
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
