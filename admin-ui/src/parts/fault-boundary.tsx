import { Component, type ReactNode } from 'react';
import { Failure } from '../data/failure.ts';
import { FailureAlert } from './failure-alert.tsx';

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
        failure={new Failure('internal', `${fault.message} Loading the page again may help.`)}
        title="This view could not be shown"
        retry={() => window.location.reload()}
      />
    );
  }
}
