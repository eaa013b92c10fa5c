import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { freshSignInAddress } from '../address.ts';
import { setStanding, useStanding } from '../data/standing.ts';
import { useViewer } from '../data/viewer.ts';
import { SignInAgain, useLookAgain } from './sign-in-again.tsx';

const LOOK_FOR_MS = 5 * 60_000;

/** Asks for a fresh sign-in, which critical steps need, in another tab so that this page keeps its state. */
export function FreshSignIn() {
  const wanted = useStanding() === 'fresh-wanted';
  const { isFresh, refetch } = useViewer();
  useEffect(() => {
    if (wanted && isFresh) setStanding('signed-in');
  }, [wanted, isFresh]);
  // polling counts as use, and an open dialog must not keep the session alive
  useLookAgain({ active: wanted, forMs: LOOK_FOR_MS, look: refetch });
  const close = () => setStanding('signed-in');
  return (
    <Modal opened={wanted} onClose={close} title="Sign in once more" size="md" zIndex={400}>
      <Stack gap="md">
        <Text size="sm">
          This step reaches many people at once, so it wants to know that it is still you. Sign in again in a new tab:
          what you have begun here stays, and you can go on as soon as it is done.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <SignInAgain href={freshSignInAddress()} />
        </Group>
      </Stack>
    </Modal>
  );
}
