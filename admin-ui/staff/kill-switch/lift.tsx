import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { ConfirmDialog } from '../../kit/parts/confirm-dialog.tsx';
import { notifyWithUndo } from '../../kit/parts/undo.tsx';
import { LIFT, nameOf, SET, type Stop, subjectOf } from './kinds.ts';

/** Opens the dialog that lifts a kill switch; disabled, with the reason, for those without the right. */
export function LiftButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionButton
      size="xs"
      variant="default"
      right="switches:write"
      fresh
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      onClick={onClick}
    >
      Lift
    </ActionButton>
  );
}

/** A `LiftButton` with its dialog. */
export function Lift({ stop }: { stop: Stop }) {
  const [lifting, setLifting] = useState(false);
  return (
    <>
      <LiftButton onClick={() => setLifting(true)} />
      {lifting && <LiftDialog stop={stop} onClose={() => setLifting(false)} />}
    </>
  );
}

/** Lifting is undone by stopping again, for the same reason. */
export function LiftDialog({ stop, onClose }: { stop: Stop; onClose: () => void }) {
  const lift = useChange(LIFT);
  const again = useChange(SET);
  const target = { kind: stop.kind, subject: subjectOf(stop) };
  return (
    <ConfirmDialog
      title={`Lift: ${nameOf(stop)}`}
      confirmLabel="Lift"
      reason={{ label: 'Reason', description: 'What has changed. It is added to the audit log.' }}
      run={async (reason) => {
        await lift.mutateAsync({ ...target, reason });
        notifyWithUndo(`Lifted: ${nameOf(stop)}.`, () => again.mutateAsync({ ...target, reason: stop.reason }));
      }}
      onClose={onClose}
    >
      {stop.setBy?.name ?? 'The system'} stopped it: “{stop.reason}” Calls are accepted again from now on.
    </ConfirmDialog>
  );
}
