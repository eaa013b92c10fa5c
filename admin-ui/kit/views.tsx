import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Failure } from './data/call.ts';
import { FailureAlert, NotFoundPage, ViewLoading } from './parts/instead.tsx';

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

interface State {
  fault: Error | undefined;
}

/** Contains the failure of one view: a bug, or a script that an update has removed. */
class FaultBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { fault: undefined };

  static getDerivedStateFromError(fault: Error): State {
    return { fault };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <FailureAlert
        failure={new Failure('internal', `${fault.message} Try reloading the page.`)}
        title="This page could not be shown"
        retry={() => window.location.reload()}
      />
    );
  }
}
