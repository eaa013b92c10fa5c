import { FileButton, Group, Image, Skeleton, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Failure, failureOf } from '../data/failure.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange, useView } from '../data/view.ts';
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
    setClientLogo(clientId: $clientId, base64: $base64) { ${REFUSAL} ... on Client { id } }
  }
`);

const REMOVE = graphql(`
  mutation RemoveClientLogo($clientId: ID!) {
    removeClientLogo(clientId: $clientId) { ${REFUSAL} ... on Client { id } }
  }
`);

/** The logo that fans see beside a client's name, and its upload and removal. */
export function LogoField({ client: { id: clientId, name } }: { client: Pick<ClientData, 'id' | 'name'> }) {
  const view = useView('client-logo', LOGO, { id: clientId });
  const set = useChange(SET);
  const remove = useChange(REMOVE);
  const reset = useRef<() => void>(null);
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
  const take = (chosen: File) => {
    // so that the same file can be chosen again
    reset.current?.();
    return change(async () => {
      const { base64, isSmaller } = await fitLogo(chosen);
      await set.mutateAsync({ clientId, base64 });
      return `The logo of ${name} is set${isSmaller ? ', made smaller to fit' : ''}.`;
    });
  };
  const takeAway = () =>
    change(async () => {
      await remove.mutateAsync({ clientId });
      return `The logo of ${name} is removed.`;
    });

  const button = { size: 'xs', variant: 'default', right: 'clients:write' } as const;
  return (
    <Section
      title="Logo"
      description="Fans see it beside the name when they sign in. A PNG, JPEG or WebP, best square and 128 to 512 pixels wide."
      actions={
        !isLoading && (
          <>
            <FileButton accept={LOGO_TYPES} resetRef={reset} onChange={(file) => file && void take(file)}>
              {({ onClick }) => (
                <ActionButton {...button} loading={set.isPending} onClick={onClick}>
                  {logo ? 'Replace logo' : 'Set logo'}
                </ActionButton>
              )}
            </FileButton>
            {logo && (
              <ActionButton {...button} loading={remove.isPending} onClick={() => void takeAway()}>
                Remove logo
              </ActionButton>
            )}
          </>
        )
      }
    >
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
