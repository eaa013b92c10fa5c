import { Button, Center, MantineProvider, Paper, Stack, Text, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, useEffect } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { BASE_PATH, signInAddress } from './address.ts';
import { Failure } from './data/failure.ts';
import { useStanding } from './data/standing.ts';
import { queryClient } from './data/view.ts';
import { useSignedIn } from './data/viewer.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { FailureAlert } from './parts/failure-alert.tsx';
import { ViewLoading } from './parts/view-loading.tsx';
import { ROUTES } from './routes.tsx';
import { Shell } from './shell/shell.tsx';
import { SessionEnded } from './shell/sign-in-again.tsx';
import { contrastingColors, theme } from './theme.ts';

/** The console: providers, sign-in and routes. */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={contrastingColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Router base={BASE_PATH}>
          <Notifications position="bottom-right" />
          <SignedIn />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function SignedIn() {
  const { data, error, refetch } = useSignedIn();
  const signedOut = useStanding() === 'signed-out';
  if (data) {
    return (
      <>
        <Views />
        {signedOut && <SessionEnded />}
      </>
    );
  }
  if (signedOut) return <SignedOut />;
  return (
    <main className="view">
      {error ? (
        <FailureAlert failure={error} title="The console could not be opened" retry={refetch} />
      ) : (
        <ViewLoading />
      )}
    </main>
  );
}

function Views() {
  const [location] = useLocation();
  useEffect(() => {
    if (location !== '') window.scrollTo(0, 0);
  }, [location]);
  return (
    <Shell>
      <FaultBoundary key={location}>
        <Switch>
          {ROUTES.map(({ path, view }) => (
            <Route key={path} path={path} component={view} />
          ))}
          <Route component={NotFoundPage} />
        </Switch>
      </FaultBoundary>
    </Shell>
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
          <Text size="sm">
            You are not signed in, or your session has ended. Sessions end after 30 minutes of inactivity, and after 12
            hours at the latest.
          </Text>
          <Button component="a" href={signInAddress()}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Without a company sign-in service, use a one-time link from the server’s output.
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}

interface State {
  fault: Error | undefined;
}

/** Contains the failure of one view: a bug, or a script that an update has removed. */
class FaultBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { fault: undefined };

  static getDerivedStateFromError(fault: Error): State {
    return { fault };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <FailureAlert
        failure={new Failure('internal', `${fault.message} Try reloading the page.`)}
        title="This page could not be shown"
        retry={() => window.location.reload()}
      />
    );
  }
}
