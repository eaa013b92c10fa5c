import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { BASE_PATH } from './address.ts';
import { useStanding } from './data/standing.ts';
import { queryClient } from './data/view.ts';
import { useSignedIn } from './data/viewer.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { FailureAlert } from './parts/failure-alert.tsx';
import { FaultBoundary } from './parts/fault-boundary.tsx';
import { ViewLoading } from './parts/view-loading.tsx';
import { ROUTES } from './routes.tsx';
import { SessionEnded } from './shell/session-ended.tsx';
import { Shell } from './shell/shell.tsx';
import { SignedOut } from './shell/signed-out.tsx';
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
