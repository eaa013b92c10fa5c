import { useEffect } from 'react';
import { PersonProvider, useStanding } from '../kit/data/person.ts';
import { FailureAlert, ViewLoading } from '../kit/parts/instead.tsx';
import { SessionEnded } from '../kit/shell/session-ended.tsx';
import { Views } from '../kit/views.tsx';
import { signInAddress } from './address.ts';
import { useSignedIn, useViewer } from './data/viewer.ts';
import { ROUTES } from './routes.ts';
import { Shell } from './shell.tsx';
import { keepProvider, SignedOut } from './signed-out.tsx';

const LIFETIME = 'Sessions end after 2 hours of inactivity, and after 12 hours at the latest.';

/** The partner workspace: sign-in and routes. */
export function App() {
  const { data, dataUpdatedAt, error, refetch } = useSignedIn();
  const signedOut = useStanding() === 'signed-out';
  if (data) {
    const { id: viewerId } = data.viewer;
    return (
      <>
        <Workspace />
        {signedOut && (
          <SessionEnded
            signInHref={signInAddress()}
            lifetime={LIFETIME}
            signedIn={{ viewerId, dataUpdatedAt, refetch }}
          />
        )}
      </>
    );
  }
  if (signedOut) return <SignedOut />;
  return (
    <main className="view">
      {error ? (
        <FailureAlert failure={error} title="The workspace could not be opened" retry={refetch} />
      ) : (
        <ViewLoading />
      )}
    </main>
  );
}

/** Every member of a partner may do everything in its workspace. */
const unrestricted = () => undefined;

function Workspace() {
  const { viewer } = useViewer();
  const { partner } = viewer;
  useEffect(() => keepProvider(partner), [partner]);
  return (
    <PersonProvider value={{ id: viewer.id, disabledReason: unrestricted, isFresh: true }}>
      <Shell>
        <Views routes={ROUTES} />
      </Shell>
    </PersonProvider>
  );
}
