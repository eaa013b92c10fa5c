import { List, Text } from '@mantine/core';
import { useView } from '../../kit/data/view.ts';
import { ConfirmButton, ConfirmDialog, DialogButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { graphql } from '../data/graphql.ts';
import type { EditedEvent } from './event-form.tsx';
import { useEventRow } from './rows.ts';
import { figure } from './states.tsx';

const IN_USE = graphql(`
  query EventInUse($id: ID!) {
    event(id: $id) {
      id
      inUse { tickets { count more } listings { count more } grants { count more } }
    }
  }
`);

interface CancelEventProps {
  event: EditedEvent & { status: 'SCHEDULED' | 'CANCELLED' };
}

/** Cancels an event, or takes that back. */
export function CancelEvent({ event }: CancelEventProps) {
  const upsert = useEventRow();
  if (event.status === 'CANCELLED') {
    return (
      <ConfirmButton
        right="inventory:write"
        title={`Reinstate ${event.name}`}
        confirmLabel="Reinstate"
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await upsert({ ...rowOf(event), status: 'scheduled' }, reason);
          notify(`${event.name} takes place again.`);
        }}
      >
        Valid tickets come back to fans and apps, and their permits count again. Listings that were closed stay closed,
        and fans have to add the tickets to grants of chosen tickets again.
      </ConfirmButton>
    );
  }
  return (
    <DialogButton right="tickets:take" fresh dialog={(close) => <CancelDialog event={event} onClose={close} />}>
      Cancel the event
    </DialogButton>
  );
}

function CancelDialog({ event, onClose }: CancelEventProps & { onClose: () => void }) {
  const upsert = useEventRow();
  const { data, error, refetch } = useView('event-in-use', IN_USE, { id: event.id }, { staleTime: 0 });
  const inUse = data?.event?.inUse;
  return (
    <ConfirmDialog
      title={`Cancel ${event.name}`}
      confirmLabel="Cancel the event"
      cancelLabel="Keep it"
      dangerous
      isWaiting={inUse === undefined}
      reason={{ label: 'Reason', placeholder: 'The artist is ill' }}
      run={async (reason) => {
        const changed = await upsert({ ...rowOf(event), status: 'cancelled' }, reason);
        if (changed !== undefined) notify(`${event.name} is cancelled.`);
      }}
      onClose={onClose}
    >
      <FailureAlert failure={error} title="What it affects could not be read" retry={refetch} />
      {inUse === undefined ? (
        <Text size="sm" role="status">
          Counting what it affects…
        </Text>
      ) : (
        <List size="sm" spacing={4} aria-label="What happens">
          <List.Item>
            Tickets ({figure(inUse.tickets)}): fans and apps no longer see them, and their permits are withdrawn.
          </List.Item>
          <List.Item>Listings ({figure(inUse.listings)}): closed onchain.</List.Item>
          <List.Item>Grants ({figure(inUse.grants)}): they no longer show its tickets.</List.Item>
        </List>
      )}
      <Text size="sm" mt="xs">
        You can reinstate the event later. Beyond 20 tickets in a day, a second person has to approve it first.
      </Text>
    </ConfirmDialog>
  );
}

/** What a row must say of an event whose facts stay. */
function rowOf({ reference, name, venue, startsAt, endsAt, timeZone }: EditedEvent) {
  return { reference, name, venue, startsAt, endsAt, timeZone };
}
