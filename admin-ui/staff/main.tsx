import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { mountApplication } from '../kit/application.tsx';
import { PersonProvider } from '../kit/data/person.ts';
import { Quiet } from '../kit/parts/text.tsx';
import { SessionGate } from '../kit/shell/session-ended.tsx';
import { Views } from '../kit/views.tsx';
import { signInAddress } from './address.ts';
import { useSignedIn, useViewer } from './data/viewer.ts';
import { ROUTES } from './routes.tsx';
import { Shell } from './shell/shell.tsx';

const LIFETIME = 'Sessions end after 30 minutes of inactivity, and after 12 hours at the latest.';
const BY_LINK = 'Without a company sign-in service, use a one-time link from the server’s output.';

/** The console: sign-in and routes. */
function App() {
  return (
    <SessionGate
      signedIn={useSignedIn()}
      signedOut={<SignedOut />}
      failureTitle="The console could not be opened"
      signInAddress={signInAddress}
      lifetime={LIFETIME}
      note={BY_LINK}
    >
      <Console />
    </SessionGate>
  );
}

function Console() {
  const { viewer, has, lackOf, isFresh } = useViewer();
  const disabledReason = (right: string) => (has(right) ? undefined : lackOf(right));
  return (
    <PersonProvider value={{ id: viewer.id, disabledReason, isFresh }}>
      <Shell>
        <Views routes={ROUTES} />
      </Shell>
    </PersonProvider>
  );
}

/** Shown instead of a view without a session. Signing in returns to the same address. */
function SignedOut() {
  useEffect(() => {
    document.title = 'Sign in · Console';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" radius="md" maw={420}>
        <Stack gap="md">
          <Title order={1}>Sign in to the console</Title>
          <Text size="sm">You are not signed in, or your session has ended. {LIFETIME}</Text>
          <Button component="a" href={signInAddress()}>
            Sign in
          </Button>
          <Quiet>{BY_LINK}</Quiet>
        </Stack>
      </Paper>
    </Center>
  );
}

mountApplication(<App />, 'X-Console');
