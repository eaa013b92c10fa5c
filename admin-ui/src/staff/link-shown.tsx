import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyText } from '../parts/copy-text.tsx';
import { inUtc } from '../parts/moment.tsx';

export interface ShownLink {
  url: string;
  name: string;
  expiresAt: string;
}

/** A one-time sign-in link, shown this once. */
export function LinkShown({ link: { url, name, expiresAt }, onClose }: { link: ShownLink; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`Sign-in link for ${name}`} closeOnClickOutside={false} size="lg">
      <Stack gap="md">
        <Alert color="ticket" variant="light" icon={<IconKey aria-hidden />} title="Shown this once">
          <Text size="sm">
            Whoever opens it is {name}: give it to nobody else. It works once, until {inUtc(expiresAt)}.
          </Text>
        </Alert>
        <CopyText text={url} label="Link" labelled={false} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
