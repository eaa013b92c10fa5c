import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyText } from '../parts/copy-text.tsx';
import { inUtc } from '../parts/moment.tsx';

export interface ShownToken {
  name: string;
  value: string;
  expiresAt: string;
}

/** The value of a new token, which can't be read again. */
export function TokenShown({ token: { name, value, expiresAt }, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`Token ${name}`} closeOnClickOutside={false} size="lg">
      <Stack gap="md">
        <Alert color="ticket" variant="light" icon={<IconKey aria-hidden />} title="Shown this once">
          <Text size="sm">
            Put it where secrets are kept. Whoever has it acts as you, within its rights, until {inUtc(expiresAt)} or
            until you revoke it.
          </Text>
        </Alert>
        <CopyText text={value} label="Token" labelled={false} />
        <Text size="sm">
          Send it as <code>Authorization: Bearer st_…</code>, or give it to <code>npm run admin</code> as{' '}
          <code>ADMIN_TOKEN</code>.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
