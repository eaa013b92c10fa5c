import { Button, Center, Group, Modal, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { freshSignInAddress, signInAddress } from '../address.ts';
import { setStanding, useStanding } from '../data/standing.ts';
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
          This step affects many people, so please confirm that it is still you. Sign in again in a new tab: your work
          here is kept, and you can continue right after.
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
                Sessions end after 30 minutes without use, and after 12 hours. Sign in again in a new tab: your work
                here is kept for 15 minutes, and you can continue right after.
              </Text>
              <SignInAgain href={signInAddress()} />
              <Text size="sm" c="dimmed">
                Where no company sign-in is set up, the output of the server has a one-time link.
              </Text>
            </Stack>
          </Center>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
