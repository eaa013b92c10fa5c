import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Failure } from '../data/failure.ts';
import { DraftNote } from './draft-note.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

interface FormDialogProps {
  title: string;
  /** On the button: "Create test users". */
  confirmLabel: string;
  /** Beside it: "Cancel" by default. */
  cancelLabel?: string | undefined;
  /** Shown above a failure: "No test users were created". */
  failureTitle: string;
  dangerous?: boolean | undefined;
  /** Whether something in it is still loading, so that it can’t be confirmed yet. */
  isWaiting?: boolean | undefined;
  /** For one with much to read. */
  isWide?: boolean | undefined;
  form: {
    failure: Failure | null;
    submitting: boolean;
    submit: (event: FormEvent<HTMLFormElement>) => void;
    draft: { isRestored: boolean; discard: () => void; forget: () => void };
  };
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Mount it to open it. Cancel forgets its draft; closing it in another way may be a slip, and does not. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    confirmLabel,
    cancelLabel = 'Cancel',
    failureTitle,
    dangerous,
    isWaiting = false,
    isWide = false,
    form,
    onClose,
    children,
  } = props;
  useReturnedFocus();
  const button = useKeptFocus(form.submitting);
  const cancel = () => {
    form.draft.forget();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={isWide ? 'xl' : 'md'}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="md">
          <DraftNote draft={form.draft} />
          {children}
          <FailureAlert failure={form.failure} title={failureTitle} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              {cancelLabel}
            </Button>
            <Button
              ref={button}
              type="submit"
              {...(dangerous && { color: 'red.9' })}
              loading={form.submitting}
              disabled={isWaiting}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A button that is disabled while it sends loses the focus. Where the dialog stays, as after a refusal, it gets it back. */
function useKeptFocus(isSending: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const hasSent = useRef(false);
  useEffect(() => {
    if (isSending) hasSent.current = true;
    else if (hasSent.current && document.activeElement === document.body) button.current?.focus();
  }, [isSending]);
  return button;
}
