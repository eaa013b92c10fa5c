import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureAlert } from './failure-alert.tsx';
import type { Fields } from './use-fields.ts';

interface FormDialogProps {
  title: string;
  /** On the button: "Make test users". */
  confirmLabel: string;
  /** What is said above a failure: "No test user was made". */
  failureTitle: string;
  dangerous?: boolean;
  form: Pick<Fields<object>, 'failure' | 'isSending' | 'submit'>;
  onClose: () => void;
  children: ReactNode;
}

/** A form that is opened above the view it belongs to. Mount it when it is to open. */
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
            <Button type="submit" color={dangerous ? 'red.9' : undefined} loading={form.isSending}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
