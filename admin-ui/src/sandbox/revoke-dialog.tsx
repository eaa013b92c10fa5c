import { Text } from '@mantine/core';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { countPermits, usePermitChanges } from './use-permit-changes.ts';

interface RevokeDialogProps {
  permitIds: string[];
  onDone?: () => void;
  onClose: () => void;
}

/** Asks why before test permits are revoked. */
export function RevokeDialog({ permitIds, onDone, onClose }: RevokeDialogProps) {
  const changes = usePermitChanges();
  return (
    <ConfirmDialog
      title={`Revoke ${countPermits(permitIds.length)}`}
      confirmLabel="Revoke"
      dangerous
      reason={{ label: 'Why' }}
      run={async (reason) => {
        await changes.revoke(permitIds, reason);
        onDone?.();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {permitIds.length === 1 ? 'Its ticket vanishes' : 'Their tickets vanish'} from the API at once, and nothing is
        signed for {permitIds.length === 1 ? 'it' : 'them'} any more. It can be taken back: what is on the test network
        stays there.
      </Text>
    </ConfirmDialog>
  );
}
