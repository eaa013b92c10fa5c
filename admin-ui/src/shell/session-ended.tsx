import { Center, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { signInAddress } from '../address.ts';
import { setStanding } from '../data/standing.ts';
import { useSignedIn } from '../data/viewer.ts';
import { SignInAgain, useLookAgain } from './sign-in-again.tsx';

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
                It does after 30 minutes without use and 12 hours in all. Sign in again in a new tab: what you have
                begun here is kept for a quarter of an hour, and you go on as soon as it is done.
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
