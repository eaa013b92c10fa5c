import { graphql } from './graphql.ts';
import { useView } from './view.ts';

const VIEWER = graphql(`
  query Viewer {
    viewer { id name role rights freshUntil }
  }
`);

/** Who is signed in; undefined data while that is not known. */
export function useSignedIn() {
  return useView('viewer', VIEWER, {}, { staleTime: 60_000 });
}

/** Who is signed in and what they may do, for everything inside the shell. */
export function useViewer() {
  const { data, refetch } = useSignedIn();
  if (!data) throw new Error('views are shown to who is signed in only');
  const { viewer } = data;
  return {
    viewer,
    refetch,
    has: (right: string) => viewer.rights.includes(right),
    /** Why this person may not do what needs a right that they lack. */
    lackOf: (right: string) => `Your role, ${viewer.role.toLowerCase()}, does not have the right ${right}.`,
    isFresh: viewer.freshUntil !== null && new Date(viewer.freshUntil).getTime() > Date.now(),
  };
}

/** Why who is signed in may not do something, in words; undefined where they may. */
export function useDisabledReason(right: string): string | undefined {
  const { has, lackOf } = useViewer();
  return has(right) ? undefined : lackOf(right);
}
