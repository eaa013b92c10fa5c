import { IconPackage } from '@tabler/icons-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { REFUSAL } from '../../../console-kit/data/document.ts';
import { failureOf } from '../../../console-kit/data/failure.ts';
import { useChange } from '../../../console-kit/data/view.ts';
import { ActionButton } from '../../../console-kit/parts/action-button.tsx';
import { notify } from '../../../console-kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';

const CREATE_STARTER_KIT = graphql(`
  mutation CreateStarterKit($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { ${REFUSAL} ... on StarterKit { id } }
  }
`);

interface MakeStarterKitProps {
  clientId: string;
  variant?: 'filled' | 'default';
  children?: string;
}

/** Makes a starter kit and opens it. */
export function MakeStarterKit({
  clientId,
  variant = 'filled',
  children = 'Create a starter kit',
}: MakeStarterKitProps) {
  const create = useChange(CREATE_STARTER_KIT);
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
