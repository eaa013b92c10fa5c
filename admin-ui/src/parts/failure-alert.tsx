import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { Failure } from '../data/failure.ts';
import { CopyText } from './copy-text.tsx';

interface FailureAlertProps {
  failure: Failure | null;
  title?: string;
  /** Where asking again may help. */
  retry?: () => unknown;
}

/** What went wrong, where it went wrong; nothing where nothing did. */
export function FailureAlert({ failure, title = 'This did not work', retry }: FailureAlertProps) {
  // who is not signed in gets the sign-in page, and a fresh sign-in a dialog
  if (!failure || failure.code === 'sign_in_required') return null;
  return (
    <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack gap="xs">
        <Text size="sm">{failure.message}</Text>
        {(retry || failure.requestId) && (
          <Group gap="sm">
            {retry && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconRefresh size={14} aria-hidden />}
                onClick={() => retry()}
              >
                Try again
              </Button>
            )}
            {failure.requestId && <CopyText label="Request" text={failure.requestId} />}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
