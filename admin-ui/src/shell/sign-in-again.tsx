import { Button, Center, Group, Modal, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { confirmSession, freshSignInAddress, signInAddress } from '../address.ts';
import { setStanding, settleFreshSignIn, useStanding } from '../data/standing.ts';
import { useSignedIn, useViewer } from '../data/viewer.ts';

/** Opens the sign-in in another tab, so that this page keeps its state. */
function SignInAgain({ href }: { href: string }) {
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noopener"
      rightSection={<IconExternalLink size={16} aria-hidden />}
      data-autofocus
    >
      Sign in again
    </Button>
  );
}

const LOOK_EVERY_MS = 3_000;

interface Looking {
  /** Whether a sign-in is waited for. */
  active: boolean;
  /** After this it gives up. */
  forMs: number;
  look: () => unknown;
  onGivenUp?: () => void;
}

/** Asks every few seconds, for a while, whether the sign-in is done. `look` and `onGivenUp` must not change identity. */
function useLookAgain({ active, forMs, look, onGivenUp }: Looking): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(look, LOOK_EVERY_MS);
    const end = setTimeout(() => {
      clearInterval(timer);
      onGivenUp?.();
    }, forMs);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [active, forMs, look, onGivenUp]);
}

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

/** After this the page is reloaded, so that what was typed is not left on an unattended screen. */
const KEPT_FOR_MS = 15 * 60_000;

const forget = () => window.location.reload();

/**
 * Covers the views when the session has ended. What was typed is kept: the same person can sign in in another tab and go
 * on. For another person the page is reloaded.
 */
export function SessionEnded() {
  const client = useQueryClient();
  const { data, dataUpdatedAt, refetch } = useSignedIn();
  const before = useRef({ viewerId: data?.viewer.id, dataUpdatedAt }).current;
  const isSignedIn = dataUpdatedAt !== before.dataUpdatedAt;
  const isSomebodyElse = data?.viewer.id !== before.viewerId;
  useLookAgain({ active: !isSignedIn, forMs: KEPT_FOR_MS, look: refetch, onGivenUp: forget });
  useEffect(() => {
    // the shell reloads the page for another person
    if (!isSignedIn || isSomebodyElse) return;
    setStanding('signed-in');
    void client.invalidateQueries();
  }, [isSignedIn, isSomebodyElse, client]);
  return (
    <Modal.Root
      opened
      fullScreen
      zIndex={500}
      closeOnEscape={false}
      onClose={() => {}}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content>
        <Modal.Body>
          <Center mih="80dvh">
            <Stack gap="md" maw={420}>
              <Modal.Title fz="h2" fw={600}>
                Your session has ended
              </Modal.Title>
              <Text size="sm">
                Sessions end after 30 minutes of inactivity, and after 12 hours at the latest. Sign in again in a new
                tab to continue: your work here is kept for 15 minutes.
              </Text>
              <SignInAgain href={signInAddress()} />
              <Text size="sm" c="dimmed">
                Without a company sign-in service, use a one-time link from the server’s output.
              </Text>
            </Stack>
          </Center>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
