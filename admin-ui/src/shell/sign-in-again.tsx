import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

/** Leads to a sign-in in a tab of its own, so that what was begun here stays. */
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
