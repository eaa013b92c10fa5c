import { Button, Group, Text } from '@mantine/core';
import { failureOf } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { ActionButton, type ActionButtonProps, ConfirmButton } from '../parts/dialog.tsx';
import { notify, notifyWithUndo } from '../parts/notify.tsx';
import { statesOf } from '../parts/values.tsx';

const REVOKE = graphql(`
  mutation RevokePermits($permitIds: [ID!]!, $reason: String!) {
    revokePermits(permitIds: $permitIds, reason: $reason) { ${REFUSAL} ... on PermitsChanged { permits { id } } }
  }
`);

const RESTORE = graphql(`
  mutation RestorePermits($permitIds: [ID!]!) {
    restorePermits(permitIds: $permitIds) { ${REFUSAL} ... on PermitsChanged { permits { id } } }
  }
`);

/** Revokes and restores test permits, with a notification; a revocation can be undone. */
export function usePermitChanges() {
  const revoke = useChange(REVOKE);
  const restore = useChange(RESTORE);
  return {
    isChanging: revoke.isPending || restore.isPending,
    async revoke(permitIds: string[], reason: string): Promise<void> {
      await revoke.mutateAsync({ permitIds, reason });
      notifyWithUndo(`${countPermits(permitIds.length)} revoked.`, () => restore.mutateAsync({ permitIds }));
    },
    /** A failure becomes a notification too. */
    async restore(permitIds: string[]): Promise<void> {
      try {
        await restore.mutateAsync({ permitIds });
        notify(`${countPermits(permitIds.length)} restored.`);
      } catch (error) {
        notify(failureOf(error).message);
      }
    },
    /** Undoes granting. */
    takeBack: (permitIds: string[]) => revoke.mutateAsync({ permitIds, reason: 'Granted by mistake and undone.' }),
  };
}

type PermitChanges = ReturnType<typeof usePermitChanges>;

/** `1 permit`, `3 permits` */
export function countPermits(count: number): string {
  return count === 1 ? '1 permit' : `${count} permits`;
}

/** The service's limit per call. */
export const MOST_PERMITS = 50;

/** What is wrong with the number of tickets for each of some users. */
export function eachError(each: number, users: number): string | null {
  if (each < 1) return 'Enter at least 1.';
  return each * users > MOST_PERMITS ? `Grant at most ${MOST_PERMITS} permits at a time (now ${each * users}).` : null;
}

export const { Mark: PermitStateMark, options: PERMIT_STATE_OPTIONS } = statesOf({
  ISSUED: ['Issued', 'good'],
  WAITING: ['Not onchain yet', 'waiting'],
  REVOKED: ['Revoked', 'bad'],
});

export type PermitState = Parameters<typeof PermitStateMark>[0]['state'];

interface RevokePermitsProps extends Omit<ActionButtonProps, 'children' | 'onClick'> {
  changes: PermitChanges;
  permitIds: string[];
  label: string;
  onDone?: () => void;
}

/** Revokes test permits, for a reason. */
export function RevokePermits({ changes, permitIds, onDone, ...button }: RevokePermitsProps) {
  const one = permitIds.length === 1;
  return (
    <ConfirmButton
      {...button}
      title={`Revoke ${countPermits(permitIds.length)}`}
      confirmLabel="Revoke"
      dangerous
      reason={{ label: 'Reason' }}
      run={async (reason) => {
        await changes.revoke(permitIds, reason);
        onDone?.();
      }}
    >
      {one ? 'Its ticket disappears' : 'Their tickets disappear'} from the API, and nothing more is signed for{' '}
      {one ? 'it' : 'them'}. You can restore {one ? 'it' : 'them'} later.
    </ConfirmButton>
  );
}

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
          variant="filled"
          size="xs"
          color="red.9"
          onDone={onDone}
        />
      )}
      {revoked.length > 0 && (
        <ActionButton size="xs" right="sandbox:write" loading={changes.isChanging} onClick={() => void restore()}>
          {`Restore ${countPermits(revoked.length)}`}
        </ActionButton>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}
