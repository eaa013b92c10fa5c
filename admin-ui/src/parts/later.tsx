import { type ComponentType, useEffect, useState } from 'react';
import { ViewLoading } from './view-loading.tsx';

/** Loads a view's script when it is first shown. React's `lazy` would show its placeholder for at least 300 ms. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  let View: ComponentType | undefined;
  return function Later() {
    const [fault, setFault] = useState<unknown>();
    const [, setLoaded] = useState(View !== undefined);
    useEffect(() => {
      if (View !== undefined) return;
      load().then((view) => {
        View = view;
        setLoaded(true);
      }, setFault);
    }, []);
    // for FaultBoundary
    if (fault !== undefined) throw fault;
    return View === undefined ? <ViewLoading /> : <View />;
  };
}
