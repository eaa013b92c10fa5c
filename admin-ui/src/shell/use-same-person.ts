import { useEffect, useRef } from 'react';
import { useViewer } from '../data/viewer.ts';

/**
 * What is on the page, typed or read, is one person's. Where somebody else has signed in in another tab of the browser, the
 * page forgets it as soon as it is in front again: else what one has typed would be sent in the name of the other.
 */
export function useSamePerson(): void {
  const { viewer, refetch } = useViewer();
  const first = useRef(viewer.id).current;
  useEffect(() => {
    const look = () => void refetch();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [refetch]);
  useEffect(() => {
    if (viewer.id !== first) window.location.reload();
  }, [viewer.id, first]);
}
