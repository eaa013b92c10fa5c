import type { ComponentChildren } from 'preact';
import type { Action } from './use-action.ts';

type Props = {
  action: Action;
  name: string;
  work: () => Promise<string | undefined> | Promise<void>;
  primary?: boolean;
  children?: ComponentChildren;
};

/** A button of an action. While something runs it is not `disabled`, which would lose the focus; it ignores repeats. */
export function ActionButton({ action, name, work, primary = false, children }: Props) {
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
