import { IconPackage } from '@tabler/icons-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { failureOf } from '../data/failure.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { notify } from '../parts/undo.tsx';

interface StarterKitButtonProps {
  clientId: string;
  /** The application's mutation. */
  create: {
    isPending: boolean;
    mutateAsync: (input: { clientId: string; requestKey: string }) => Promise<{ id: string }>;
  };
  variant?: 'filled' | 'default';
  children?: string;
}

/** Makes a starter kit and opens it. */
export function StarterKitButton({
  clientId,
  create,
  variant = 'filled',
  children = 'Create a starter kit',
}: StarterKitButtonProps) {
  const [, navigate] = useLocation();
  // idempotency key: a repeated click after a lost response returns the same kit
  const requestKey = useRef<string>(undefined);
  const make = async () => {
    requestKey.current ??= crypto.randomUUID();
    try {
      const { id } = await create.mutateAsync({ clientId, requestKey: requestKey.current });
      requestKey.current = undefined;
      navigate(`/clients/${clientId}/starter-kit?kit=${id}`);
    } catch (error) {
      notify(`No starter kit was created. ${failureOf(error).message}`);
    }
  };
  return (
    <ActionButton
      variant={variant}
      leftSection={<IconPackage size={16} aria-hidden />}
      right="sandbox:write"
      loading={create.isPending}
      onClick={() => void make()}
    >
      {children}
    </ActionButton>
  );
}
