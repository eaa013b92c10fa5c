import { Alert, Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';

interface DraftNoteProps {
  draft: { isRestored: boolean; discard: () => void };
}

/** Above a form that was filled in from its draft. */
export function DraftNote({ draft: { isRestored, discard } }: DraftNoteProps) {
  if (!isRestored) return null;
  return (
    <Alert color="gray" variant="light" role="status" icon={<IconHistory aria-hidden />} py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Restored your draft.</Text>
        <Button size="compact-sm" variant="default" onClick={discard}>
          Discard
        </Button>
      </Group>
    </Alert>
  );
}
