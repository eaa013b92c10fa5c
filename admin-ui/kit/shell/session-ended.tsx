import { ArrowTopRightOnSquareIcon } from '@heroicons/react/24/outline';
import { Button, Center, Modal, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Failure } from '../data/call.ts';
import { setStanding, useStanding } from '../data/person.ts';
import { FailureAlert, ViewLoading } from '../parts/instead.tsx';
import { Quiet } from '../parts/text.tsx';

/** Opens the sign-in in another tab, so that this page keeps its state. */
export function SignInAgain({ href }: { href: string }) {
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noopener"
      rightSection={<ArrowTopRightOnSquareIcon width={16} />}
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
export function useLookAgain({ active, forMs, look, onGivenUp }: Looking): void {
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

/** After this the page is reloaded, so that what was typed is not left on an unattended screen. */
const KEPT_FOR_MS = 15 * 60_000;

const forget = () => window.location.reload();

interface SessionEndedProps {
  /** Of the sign-in that returns to the view that is open now. */
  signInAddress: () => string;
  /** How long sessions last. */
  lifetime: string;
  note?: string;
  /** The query of the person who is signed in. */
  signedIn: { viewerId: string | undefined; dataUpdatedAt: number; refetch: () => unknown };
}

/**
 * Covers the views when the session has ended. What was typed is kept: the same person can sign in in another tab and go
 * on. For another person the page is reloaded.
 */
function SessionEnded({ signInAddress, lifetime, note, signedIn }: SessionEndedProps) {
  const client = useQueryClient();
  const { viewerId, dataUpdatedAt, refetch } = signedIn;
  const before = useRef({ viewerId, dataUpdatedAt }).current;
  const isSignedIn = dataUpdatedAt !== before.dataUpdatedAt;
  const isSomebodyElse = viewerId !== before.viewerId;
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
                {lifetime} Sign in again in a new tab to continue: your work here is kept for 15 minutes.
              </Text>
              <SignInAgain href={signInAddress()} />
              {note !== undefined && <Quiet>{note}</Quiet>}
            </Stack>
          </Center>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface SessionGateProps extends Omit<SessionEndedProps, 'signedIn'> {
  signedIn: UseQueryResult<{ viewer: { id: string } }, Failure>;
  /** Shown to those who have no session. */
  signedOut: ReactNode;
  failureTitle: string;
  /** The application. */
  children: ReactNode;
}

/** The application for those who are signed in; it stays in place, covered, when their session ends. */
export function SessionGate({ signedIn, signedOut, failureTitle, children, ...ended }: SessionGateProps) {
  const { data, dataUpdatedAt, error, refetch } = signedIn;
  const isOut = useStanding() === 'signed-out';
  if (data) {
    return (
      <>
        {children}
        {isOut && <SessionEnded {...ended} signedIn={{ viewerId: data.viewer.id, dataUpdatedAt, refetch }} />}
      </>
    );
  }
  if (isOut) return signedOut;
  return (
    <main className="view">
      {error ? <FailureAlert failure={error} title={failureTitle} retry={refetch} /> : <ViewLoading />}
    </main>
  );
}
