import type { ActionButtonProps } from '../../../console-kit/parts/action-button.tsx';
import { ConfirmButton } from '../../../console-kit/parts/confirm-dialog.tsx';
import { countPermits, usePermitChanges } from './use-permit-changes.ts';

interface RevokePermitsProps extends Omit<ActionButtonProps, 'children' | 'onClick'> {
  permitIds: string[];
  label: string;
  onDone?: () => void;
}

/** Revokes test permits, for a reason. */
export function RevokePermits({ permitIds, onDone, ...button }: RevokePermitsProps) {
  const changes = usePermitChanges();
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
