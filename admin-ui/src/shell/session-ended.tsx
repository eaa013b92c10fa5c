import { Center, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { signInAddress } from '../address.ts';
import { setStanding } from '../data/standing.ts';
import { useSignedIn } from '../data/viewer.ts';
import { SignInAgain, useLookAgain } from './sign-in-again.tsx';

/** After this the page forgets what it held: the screen may be anybody's by then. */
const KEPT_FOR_MS = 15 * 60_000;

const forget = () => window.location.reload();

/**
 * Covers the views when the session has ended under them. What was typed stays below: whoever signs in again in another
 * tab goes on here. Somebody else gets a page of their own.
 */
export function SessionEnded() {
  const client = useQueryClient();
  const { data, dataUpdatedAt, refetch } = useSignedIn();
  const before = useRef({ viewerId: data?.viewer.id, dataUpdatedAt }).current;
  const isSignedIn = dataUpdatedAt !== before.dataUpdatedAt;
  const isSomebodyElse = data?.viewer.id !== before.viewerId;
  useLookAgain({ active: !isSignedIn, forMs: KEPT_FOR_MS, look: refetch, onGivenUp: forget });
  useEffect(() => {
    // the shell below lets somebody else begin anew
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
