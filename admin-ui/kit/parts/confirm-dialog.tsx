import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActionButton, type ActionButtonProps } from './action-button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { ReasonField } from './reason-field.tsx';
import { useSendForm } from './use-send-form.ts';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** On the button: the action itself ("Suspend"), never "OK". */
  confirmLabel: string;
  /** "Cancel" by default. */
  cancelLabel?: string;
  dangerous?: boolean;
  /** Whether something in it is still loading, so that it can’t be confirmed yet. */
  isWaiting?: boolean;
  isWide?: boolean;
  /** The field for the reason; without it no reason is asked for. */
  reason?: { label: string; description?: string; placeholder?: string };
  /** Does it. The dialog stays open and shows what this throws. */
  run: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action that affects others. Mount it to open it. */
export function ConfirmDialog({ children, reason, run, onClose, ...dialog }: ConfirmDialogProps) {
  const form = useSendForm({
    initialValues: { reason: '' },
    validate: { reason: (text) => (reason && text.trim() === '' ? 'Enter a reason.' : null) },
    send: async (values) => {
      await run(values.reason.trim());
      onClose();
    },
  });
  return (
    <FormDialog {...dialog} failureTitle="Nothing was changed" form={form} onClose={onClose}>
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
      {reason && <ReasonField {...reason} data-autofocus {...form.getInputProps('reason')} />}
    </FormDialog>
  );
}

interface ConfirmButtonProps
  extends Omit<ConfirmDialogProps, 'onClose'>,
    Omit<ActionButtonProps, 'children' | 'onClick' | 'title'> {
  /** On the button that opens the dialog; `confirmLabel` by default. */
  label?: ReactNode;
}

/** A button whose action has to be confirmed in a dialog; the children are the text of the dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, children, confirmLabel, dangerous, isWide, reason, run, label = confirmLabel, ...button } = props;
  const [asking, setAsking] = useState(false);
  const dialog = {
    title,
    children,
    confirmLabel,
    run,
    ...(dangerous && { dangerous }),
    ...(isWide && { isWide }),
    ...(reason && { reason }),
  };
  return (
    <>
      <ActionButton {...button} onClick={() => setAsking(true)}>
        {label}
      </ActionButton>
      {asking && <ConfirmDialog {...dialog} onClose={() => setAsking(false)} />}
    </>
  );
}
