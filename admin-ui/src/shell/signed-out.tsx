import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { signInAddress } from '../address.ts';

/** Shown instead of a view without a session. Signing in returns to the same address. */
export function SignedOut() {
  useEffect(() => {
    document.title = 'Sign in · Console';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" radius="md" maw={420}>
        <Stack gap="md">
          <Title order={1}>Sign in to the console</Title>
          <Text size="sm">
            Nobody is signed in in this browser, or the session has ended: it does after 30 minutes without use and 12
            hours in all.
          </Text>
          <Button component="a" href={signInAddress()}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Where no company sign-in is set up, the output of the server has a one-time link.
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}
