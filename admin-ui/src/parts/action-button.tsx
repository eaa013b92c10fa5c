import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface ActionButtonProps extends ButtonProps {
  /** Why it can't be done now or by this person; the button then stays where it is and says so. */
  disabledReason?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** A button that tells why it can't be pressed, by mouse and by keyboard, instead of being gone or dead. */
export function ActionButton({ disabledReason, onClick, children, ...rest }: ActionButtonProps) {
  if (disabledReason === undefined) {
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={disabledReason} multiline maw={320}>
      <Button {...rest} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
        {children}
        <span className="visually-hidden"> ({disabledReason})</span>
      </Button>
    </Tooltip>
  );
}
