import { Button, Group, Text } from '@mantine/core';
import { ActionButton } from '../parts/action-button.tsx';
import { countPermits, type PermitChanges } from './permit-changes.ts';
import type { PermitState } from './permit-state.tsx';
import { RevokePermits } from './revoke-permits.tsx';

interface ChosenPermitsProps {
  changes: PermitChanges;
  permits: readonly { id: string; state: PermitState }[];
  onDone: () => void;
}

/** What can be done with the permits that are chosen. */
export function ChosenPermits({ changes, permits, onDone }: ChosenPermitsProps) {
  const idsOf = (isRevoked: boolean) =>
    permits.filter(({ state }) => (state === 'REVOKED') === isRevoked).map(({ id }) => id);
  const [live, revoked] = [idsOf(false), idsOf(true)];
  const restore = async () => {
    await changes.restore(revoked);
    onDone();
  };
  return (
    <Group
      gap="xs"
      role="group"
      aria-label="Selected permits"
      pos="sticky"
      top={64}
      px="sm"
      py={8}
      bd="1px solid var(--edge)"
      bdrs={8}
      bg="var(--mantine-color-body)"
      style={{ zIndex: 2 }}
    >
      <Text size="sm" role="status">
        {permits.length} chosen
      </Text>
      {live.length > 0 && (
        <RevokePermits
          changes={changes}
          permitIds={live}
          label={`Revoke ${countPermits(live.length)}`}
          right="sandbox:write"
          size="xs"
          color="red.9"
          onDone={onDone}
        />
      )}
      {revoked.length > 0 && (
        <ActionButton
          size="xs"
          variant="default"
          right="sandbox:write"
          loading={changes.isChanging}
          onClick={() => void restore()}
        >
          {`Restore ${countPermits(revoked.length)}`}
        </ActionButton>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}
