import { type ComponentType, useEffect, useState } from 'react';
import { ViewLoading } from './view-loading.tsx';

/**
 * A view whose script is loaded when it is first shown. Not by React's `lazy`: once that has shown its placeholder, it
 * waits 300 ms before it shows the view, however fast the script came.
 */
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
    // for the boundary around the views
    if (fault !== undefined) throw fault;
    return View === undefined ? <ViewLoading /> : <View />;
  };
}
