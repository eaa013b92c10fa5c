import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyText } from './copy-text.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

interface ShownOnceProps {
  title: string;
  /** The secret, and what it is: "Token". */
  secret: string;
  label: string;
  /** What to do with it, and how long it works. */
  advice: string;
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that was just made and can't be read again. */
export function ShownOnce({ title, secret, label, advice, children, onClose }: ShownOnceProps) {
  useReturnedFocus();
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} size="lg">
      <Stack gap="md">
        <Alert color="ticket" variant="light" icon={<IconKey aria-hidden />} title="Shown only once">
          <Text size="sm">{advice}</Text>
        </Alert>
        <CopyText text={secret} label={label} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
