import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFreshly } from '../data/fresh.ts';
import { usePerson } from '../data/person.ts';

export interface ActionButtonProps extends ButtonProps {
  /** The right without which it is disabled. */
  right?: string | undefined;
  /** Whether it needs a fresh sign-in, which is asked for first. */
  fresh?: boolean;
  /** Why it is disabled for another reason. */
  disabledReason?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** A button that, while disabled, stays visible and focusable and says why. */
export function ActionButton({ right, fresh, disabledReason, onClick, children, ...rest }: ActionButtonProps) {
  const person = usePerson();
  const freshly = useFreshly();
  const reason = (right === undefined ? undefined : person.disabledReason(right)) ?? disabledReason;
  if (reason === undefined) {
    return (
      <Button {...rest} onClick={() => (fresh ? freshly(onClick) : onClick())}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={reason} multiline maw={320}>
      <Button {...rest} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
        {children}
        <span className="visually-hidden"> ({reason})</span>
      </Button>
    </Tooltip>
  );
}
