import { Component, type ReactNode } from 'react';
import { Failure } from '../data/failure.ts';
import { FailureAlert } from './failure-alert.tsx';

interface State {
  fault: Error | undefined;
}

/** A view that fails takes itself down, not the console: a script that is no longer there after an update, or a fault of ours. */
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
