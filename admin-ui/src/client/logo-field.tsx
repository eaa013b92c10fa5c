import { Group, Image, Skeleton, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Failure, failureOf } from '../data/failure.ts';
import { graphql } from '../data/graphql.ts';
import { useChange, useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { Section } from '../parts/section.tsx';
import { notifyWithUndo } from '../parts/undo.tsx';
import type { ClientData } from './document.ts';
import { fitLogo, LOGO_TYPES, partOf } from './fit-logo.ts';

const LOGO = graphql(`
  query ClientLogo($id: ID!) {
    client(id: $id) { id logo { dataUrl kind width height size } }
  }
`);

const SET = graphql(`
  mutation SetClientLogo($clientId: ID!, $base64: String!) {
    setClientLogo(clientId: $clientId, base64: $base64) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

const REMOVE = graphql(`
  mutation RemoveClientLogo($clientId: ID!) {
    removeClientLogo(clientId: $clientId) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

/** The picture that fans see beside a client's name: to look at, to set and to take away. */
export function LogoField({ client: { id: clientId, name } }: { client: Pick<ClientData, 'id' | 'name'> }) {
  const view = useView('client-logo', LOGO, { id: clientId });
  const set = useChange(SET);
  const remove = useChange(REMOVE);
  const disabledReason = useDisabledReason('clients:write');
  const file = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isLoading = view.isPending || view.isPlaceholderData;
  const logo = view.data?.client?.logo;

  const change = async (save: () => Promise<string>) => {
    const earlier = logo;
    const undo = () =>
      earlier ? set.mutateAsync({ clientId, base64: partOf(earlier.dataUrl) }) : remove.mutateAsync({ clientId });
    setFailure(null);
    try {
      notifyWithUndo(await save(), undo);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const take = (chosen: File) =>
    change(async () => {
      const { base64, isSmaller } = await fitLogo(chosen);
      await set.mutateAsync({ clientId, base64 });
      return `The logo of ${name} is set${isSmaller ? ', made smaller to fit' : ''}.`;
    });
  const takeAway = () =>
    change(async () => {
      await remove.mutateAsync({ clientId });
      return `The logo of ${name} is removed.`;
    });

  return (
    <Section
      title="Logo"
      description="Fans see it beside the name when they sign in. A PNG, JPEG or WebP, best square and 128 to 512 pixels wide."
      actions={
        !isLoading && (
          <>
            <ActionButton
              size="xs"
              variant="default"
              disabledReason={disabledReason}
              loading={set.isPending}
              onClick={() => file.current?.click()}
            >
              {logo ? 'Replace logo' : 'Set logo'}
            </ActionButton>
            {logo && (
              <ActionButton
                size="xs"
                variant="default"
                disabledReason={disabledReason}
                loading={remove.isPending}
                onClick={() => void takeAway()}
              >
                Remove logo
              </ActionButton>
            )}
          </>
        )
      }
    >
      <input
        ref={file}
        type="file"
        accept={LOGO_TYPES}
        hidden
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen) void take(chosen);
          // so that the same file can be chosen again
          currentTarget.value = '';
        }}
      />
      {isLoading ? (
        <Skeleton height={64} width={64} />
      ) : logo ? (
        <Group gap="md">
          <Image src={logo.dataUrl} alt={`Logo of ${name}`} w={64} h={64} p={4} fit="contain" radius="md" bg="white" />
          <Text size="sm" c="dimmed">
            {logo.kind}, {logo.width} × {logo.height} pixels, {(logo.size / 1024).toFixed(1)} KiB
          </Text>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          There is none: fans see the initials of the name.
        </Text>
      )}
      <FailureAlert failure={view.error} title="The logo could not be read" retry={view.refetch} />
      <FailureAlert failure={failure} title="The logo was not changed" />
    </Section>
  );
}
