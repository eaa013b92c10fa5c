import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect } from 'react';

/** Opens the sign-in in another tab, so that this page keeps its state. */
export function SignInAgain({ href }: { href: string }) {
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
