import { Group, Stack, Text } from '@mantine/core';
import { Holder } from '../fan/holder.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Moment } from '../parts/moment.tsx';
import { ViewLink } from '../parts/view-link.tsx';
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
          </Group>
        </Group>
      ))}
    </ul>
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
