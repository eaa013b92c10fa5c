import { Component, type ReactNode } from 'react';
import { Failure } from './data/failure.ts';
import { FailureAlert } from './parts/failure-alert.tsx';

interface State {
  fault: Error | undefined;
}

/** Contains the failure of one view: a bug, or a script that an update has removed. */
export class FaultBoundary extends Component<{ children: ReactNode }, State> {
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
