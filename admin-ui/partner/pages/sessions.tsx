import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { SessionsPage as OwnSessions } from '../../kit/parts/sessions-page.tsx';
import { signOut } from '../address.ts';
import { graphql } from '../data/graphql.ts';

const SESSIONS = graphql(`
  query Sessions {
    mySessions { id isCurrent createdAt lastSeenAt expiresAt browser address network timeZone }
  }
`);

const END = graphql(`
  mutation EndMySession($id: ID!) {
    endMySession(id: $id) { ${REFUSAL} ... on Viewer { id } }
  }
`);

/** The browsers in which the member is signed in. */
export function SessionsPage() {
  const view = useView('sessions', SESSIONS, {});
  const end = useChange(END);
  return <OwnSessions view={view} end={(id) => end.mutateAsync({ id })} signOut={signOut} />;
}
