import { useEffect } from 'react';
import { mountApplication } from '../kit/application.tsx';
import { PersonProvider } from '../kit/data/person.ts';
import { SessionGate } from '../kit/shell/session-ended.tsx';
import { Views } from '../kit/views.tsx';
import { signInAddress } from './address.ts';
import { useSignedIn, useViewer } from './data/viewer.ts';
import { ROUTES } from './routes.ts';
import { Shell } from './shell.tsx';
import { keepProvider, SignedOut } from './signed-out.tsx';

const LIFETIME = 'Sessions end after 2 hours of inactivity, and after 12 hours at the latest.';

/** The partner workspace: sign-in and routes. */
function App() {
  return (
    <SessionGate
      signedIn={useSignedIn()}
      signedOut={<SignedOut />}
      failureTitle="The workspace could not be opened"
      signInAddress={signInAddress}
      lifetime={LIFETIME}
    >
      <Workspace />
    </SessionGate>
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

mountApplication(<App />, 'X-Workspace');
