import { useView } from '../../kit/data/view.ts';
import { graphql } from './graphql.ts';

const VIEWER = graphql(`
  query Viewer {
    staffRights { name role }
    viewer { id name role rights freshUntil confirmsHere }
  }
`);

/** The person who is signed in; no data before that is known. */
export function useSignedIn() {
  return useView('viewer', VIEWER, {}, { staleTime: 60_000 });
}

/** The person who is signed in and what they may do, inside the shell. */
export function useViewer() {
  const { data, refetch } = useSignedIn();
  if (!data) throw new Error('useViewer needs a signed-in person');
  const { viewer, staffRights } = data;
  const whoHas = (right: string) =>
    staffRights.find(({ name }) => name === right)?.role === 'REVIEWER' ? 'a reviewer or an admin' : 'an admin';
  return {
    viewer,
    refetch,
    has: (right: string) => viewer.rights.includes(right),
    /** Why this person can’t do what needs the right, and who can. */
    lackOf: (right: string) =>
      `Your role, ${viewer.role.toLowerCase()}, does not have the right ${right}. Ask ${whoHas(right)}.`,
    isFresh: viewer.freshUntil !== null && new Date(viewer.freshUntil).getTime() > Date.now(),
  };
}
