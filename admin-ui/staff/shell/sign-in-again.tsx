import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { settleFreshSignIn, useStanding } from '../../kit/data/standing.ts';
import { SignInAgain, useLookAgain } from '../../kit/shell/session-ended.tsx';
import { confirmSession, freshSignInAddress } from '../address.ts';
import { useSignedIn, useViewer } from '../data/viewer.ts';

const LOOK_FOR_MS = 5 * 60_000;

const decline = () => settleFreshSignIn(false);

/**
 * Asks for a fresh sign-in, which critical steps need: by one press on the machine of the embedded default, else in another
 * tab, so that this page keeps its state. The step that was interrupted then goes on.
 */
export function FreshSignIn() {
  const wanted = useStanding() === 'fresh-wanted';
  const { viewer, refetch } = useViewer();
  const { dataUpdatedAt } = useSignedIn();
  const [failed, setFailed] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (!wanted) return;
    since.current = Date.now();
    setFailed(false);
    void refetch();
  }, [wanted, refetch]);
  useEffect(() => {
    // only what the service said since: the clocks may differ
    if (wanted && viewer.freshUntil !== null && dataUpdatedAt > since.current) settleFreshSignIn(true);
  }, [wanted, viewer.freshUntil, dataUpdatedAt]);
  // polling counts as use, and an open dialog must not keep the session alive
  useLookAgain({ active: wanted, forMs: LOOK_FOR_MS, look: refetch });
  const byPress = viewer.confirmsHere && !failed;
  const confirm = () =>
    confirmSession().then(
      () => void refetch(),
      () => setFailed(true),
    );
  return (
    <Modal opened={wanted} onClose={decline} title="Confirm it’s you" size="md" zIndex={400}>
      <Stack gap="md">
        <Text size="sm">
          {byPress
            ? 'This step affects many people. It continues as soon as you confirm.'
            : 'This step affects many people. Sign in again in a new tab: your work here is kept, and the step continues afterwards.'}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={decline}>
            Not now
          </Button>
          {byPress ? (
            <Button onClick={() => void confirm()} data-autofocus>
              Confirm it’s you
            </Button>
          ) : (
            <SignInAgain href={freshSignInAddress()} />
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
