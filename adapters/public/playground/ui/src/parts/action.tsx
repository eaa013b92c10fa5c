import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { describeError } from '../calls/describe-refusal.ts';

/** Runs what a button does: one at a time, and its failure is shown where the button is. */
export interface Action {
  /** What runs now. */
  busy: string | undefined;
  problem: string | undefined;
  /** @param name for the button that it belongs to @param work may return a problem instead of throwing it */
  run(name: string, work: () => Promise<string | undefined> | Promise<void>): Promise<void>;
}

export function useAction(): Action {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  return {
    busy,
    problem,
    async run(name, work) {
      if (busy !== undefined) return;
      setBusy(name);
      setProblem(undefined);
      try {
        setProblem((await work()) ?? undefined);
      } catch (error) {
        setProblem(describeError(error));
      } finally {
        setBusy(undefined);
      }
    },
  };
}

type ActionButtonProps = {
  action: Action;
  name: string;
  work: () => Promise<string | undefined> | Promise<void>;
  primary?: boolean;
  children?: ComponentChildren;
};

/** A button of an action. While something runs it is not `disabled`, which would lose the focus; it ignores repeats. */
export function ActionButton({ action, name, work, primary = false, children }: ActionButtonProps) {
  const isBusy = action.busy === name;
  return (
    <button
      type="button"
      class={primary ? 'button primary' : 'button'}
      aria-disabled={action.busy !== undefined}
      onClick={() => void action.run(name, work)}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : null}
      {children ?? name}
    </button>
  );
}
