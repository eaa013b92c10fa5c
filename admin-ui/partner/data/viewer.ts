import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';

const VIEWER = graphql(`
  query Viewer {
    viewer { id name email partner { id name signIn } }
  }
`);

/** The member who is signed in; no data before that is known. */
export function useSignedIn() {
  return useView('viewer', VIEWER, {}, { staleTime: 60_000 });
}

/** The member who is signed in, inside the shell. */
export function useViewer() {
  const { data, refetch } = useSignedIn();
  if (!data) throw new Error('useViewer needs a signed-in member');
  return { viewer: data.viewer, refetch };
}
