import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { Failure } from '../data/failure.ts';
import { FailureAlert } from './failure-alert.tsx';

interface FormDialogProps {
  title: string;
  /** On the button: "Make test users". */
  confirmLabel: string;
  /** Shown above a failure: "No test user was made". */
  failureTitle: string;
  dangerous?: boolean | undefined;
  form: { failure: Failure | null; submitting: boolean; submit: (event: FormEvent<HTMLFormElement>) => void };
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Mount it to open it. */
export function FormDialog({ title, confirmLabel, failureTitle, dangerous, form, onClose, children }: FormDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <form onSubmit={form.submit} noValidate>
        <Stack gap="md">
          {children}
          <FailureAlert failure={form.failure} title={failureTitle} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...(dangerous && { color: 'red.9' })} loading={form.submitting}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
