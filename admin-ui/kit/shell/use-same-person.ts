import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { forgetDrafts } from '../parts/draft.ts';

/**
 * Reloads the page when somebody else has signed in in another tab of the browser: what one person typed must not be sent
 * in the name of another.
 * @param look asks the service again who is signed in
 */
export function useSamePerson(id: string, look: () => unknown): void {
  const first = useRef(id).current;
  useWindowEvent('focus', () => void look());
  useEffect(() => forgetDrafts(first), [first]);
  useEffect(() => {
    if (id !== first) window.location.reload();
  }, [id, first]);
}
