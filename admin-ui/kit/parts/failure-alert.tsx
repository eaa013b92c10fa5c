import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Failure } from '../data/failure.ts';
import { CopyText } from './copy-text.tsx';

interface FailureAlertProps {
  failure: Failure | null;
  title?: string;
  /** Where asking again may help. */
  retry?: () => unknown;
}

/** A failure, shown where it happened; nothing for null. */
export function FailureAlert({ failure, title = 'That did not work', retry }: FailureAlertProps) {
  // without a session there is the sign-in page; a fresh sign-in has a dialog
  if (!failure || failure.code === 'sign_in_required') return null;
  return (
    <ProblemAlert title={title}>
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
            {failure.requestId && <CopyText labelled label="Request" text={failure.requestId} />}
          </Group>
        )}
      </Stack>
    </ProblemAlert>
  );
}

interface ProblemAlertProps {
  title: string;
  icon?: ReactNode;
  children: ReactNode;
}

/** A problem with what the view shows. */
export function ProblemAlert({ icon = <IconAlertTriangle aria-hidden />, ...props }: ProblemAlertProps) {
  return <Alert color="red" variant="light" icon={icon} {...props} />;
}
