import { Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { LinkButton } from '../parts/page.tsx';
import { useReturnedFocus } from '../parts/use-returned-focus.ts';
import { CodeBlock } from '../parts/values.tsx';

interface MadeUsersProps {
  users: readonly { id: string; phone: string; code: string; walletAddress: string | null }[];
  /** What to do with them. */
  advice: string;
  onClose: () => void;
}

/** Test users that were just made, to copy. They stay in the list, with their codes. */
export function MadeUsers({ users, advice, onClose }: MadeUsersProps) {
  useReturnedFocus();
  const lines = users.map(({ phone, code, walletAddress }) => [phone, code, walletAddress ?? ''].join(','));
  const csv = ['phone,code,wallet', ...lines].join('\n');
  const [first] = users;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={users.length === 1 ? 'Test user created' : `${users.length} test users created`}
    >
      <Stack gap="md">
        <Text size="sm">{advice}</Text>
        <CodeBlock text={csv} label="Test users as CSV" />
        <Group justify="flex-end" gap="xs">
          <CopyButton value={csv}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy all'}
              </Button>
            )}
          </CopyButton>
          {users.length === 1 && first && (
            <LinkButton href={`/permits?grant=1&fan=${first.id}`}>Grant permits</LinkButton>
          )}
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
