import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from '../kit/data/failure.ts';
import { FailureAlert } from '../kit/parts/failure-alert.tsx';
import { notify } from '../kit/parts/undo.tsx';

interface LinkAskedProps {
  email: string;
  onAgain: () => Promise<void>;
  onOther: () => void;
}

/** Until another link can be asked for. */
const WAIT_MS = 60_000;

/** After a link was asked for. Nothing here depends on whether the address is known. */
export function LinkAsked({ email, onAgain, onOther }: LinkAskedProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  const place = useRef<HTMLDivElement>(null);
  // so that a screen reader announces the new step
  useEffect(() => place.current?.focus(), []);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const again = async () => {
    setFailure(null);
    try {
      await onAgain();
      setWaiting(true);
      notify('Another link is on its way.');
    } catch (thrown) {
      setFailure(failureOf(thrown));
    }
  };
  return (
    <Stack gap="md" ref={place} tabIndex={-1} className="quiet-focus" role="status">
      <Text size="sm">
        If <strong className="breakable">{email}</strong> belongs to a member of a partner, a sign-in link is on its
        way. Open it in this browser within 15 minutes. It works once.
      </Text>
      <Text size="sm" c="dimmed">
        Nothing there? Look in the spam folder, and check that the address is the one that was invited.
      </Text>
      <FailureAlert failure={failure} title="No link was sent" />
      <Group gap="xs">
        <Button variant="default" onClick={onOther}>
          Use another address
        </Button>
        <Button variant="subtle" disabled={isWaiting} onClick={() => void again()}>
          Send again
        </Button>
      </Group>
    </Stack>
  );
}
