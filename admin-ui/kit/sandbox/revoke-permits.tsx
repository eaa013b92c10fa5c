import type { ActionButtonProps } from '../parts/action-button.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { countPermits, type PermitChanges } from './permit-changes.ts';

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
