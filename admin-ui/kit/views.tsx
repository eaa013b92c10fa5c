import { type ComponentType, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { FaultBoundary } from './fault-boundary.tsx';
import { NotFoundPage } from './parts/not-found.tsx';
import { ViewLoading } from './parts/view-loading.tsx';

export interface ViewRoute {
  path: string;
  view: ComponentType;
}

/** The view that the address names; each begins at its top. */
export function Views({ routes }: { routes: readonly ViewRoute[] }) {
  const [location] = useLocation();
  useEffect(() => {
    if (location !== '') window.scrollTo(0, 0);
  }, [location]);
  return (
    <FaultBoundary key={location}>
      <Switch>
        {routes.map(({ path, view }) => (
          <Route key={path} path={path} component={view} />
        ))}
        <Route component={NotFoundPage} />
      </Switch>
    </FaultBoundary>
  );
}

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
