import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { failureOf } from '../data/failure.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { notify } from '../parts/undo.tsx';
import type { PermitState } from './permit-state.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { countPermits, usePermitChanges } from './use-permit-changes.ts';

interface ChosenPermitsProps {
  permits: readonly { id: string; state: PermitState }[];
  onDone: () => void;
}

/** What can be done with the permits that are chosen. */
export function ChosenPermits({ permits, onDone }: ChosenPermitsProps) {
  const [asking, setAsking] = useState(false);
  const changes = usePermitChanges();
  const disabledReason = useDisabledReason('sandbox:write');
  const revoked = idsOf(permits, (state) => state === 'REVOKED');
  const live = idsOf(permits, (state) => state !== 'REVOKED');
  const restore = async () => {
    await changes.restore(revoked).catch((error: unknown) => notify(failureOf(error).message));
    onDone();
  };
  return (
    <Group gap="xs" role="group" aria-label="Chosen permits" className="chosen">
      <Text size="sm" role="status">
        {permits.length} chosen
      </Text>
      {live.length > 0 && (
        <ActionButton size="xs" color="red.9" disabledReason={disabledReason} onClick={() => setAsking(true)}>
          {`Revoke ${countPermits(live.length)}`}
        </ActionButton>
      )}
      {revoked.length > 0 && (
        <ActionButton
          size="xs"
          variant="default"
          disabledReason={disabledReason}
          loading={changes.isChanging}
          onClick={() => void restore()}
        >
          {`Restore ${countPermits(revoked.length)}`}
        </ActionButton>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Choose none
      </Button>
      {asking && <RevokeDialog permitIds={live} onDone={onDone} onClose={() => setAsking(false)} />}
    </Group>
  );
}

function idsOf(permits: ChosenPermitsProps['permits'], is: (state: PermitState) => boolean): string[] {
  return permits.filter(({ state }) => is(state)).map(({ id }) => id);
}
