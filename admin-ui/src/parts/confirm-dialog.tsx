import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Failure, failureOf } from '../data/failure.ts';
import { FailureAlert } from './failure-alert.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** On the button: the deed itself ("Suspend"), never "OK". */
  confirmLabel: string;
  dangerous?: boolean;
  /** What the reason is asked as; undefined where none is wanted. */
  reason?: { label: string; description?: string; placeholder?: string };
  /** Does it; what it throws is shown here and the dialog stays. */
  run: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that others will feel. Mount it when it is to open. */
export function ConfirmDialog({ title, children, confirmLabel, dangerous, reason, run, onClose }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [running, setRunning] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason && text.trim() === '') return setMissing(true);
    setRunning(true);
    setFailure(null);
    try {
      await run(text.trim());
      onClose();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={title} size="md">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {children}
          {reason && (
            <Textarea
              label={reason.label}
              description={reason.description ?? 'It goes into the audit log.'}
              placeholder={reason.placeholder}
              required
              autosize
              minRows={2}
              maxRows={8}
              maxLength={1000}
              data-autofocus
              value={text}
              error={missing && text.trim() === '' ? 'Say why: others will ask.' : undefined}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <FailureAlert failure={failure} title="Nothing was changed" />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={dangerous ? 'red.9' : undefined} loading={running}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
