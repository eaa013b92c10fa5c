import { FileButton, Group, Image, Skeleton } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useRef, useState } from 'react';
import { Failure, failureOf } from '../../kit/data/call.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notifyWithUndo } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { graphql } from '../data/graphql.ts';
import type { ClientData } from './document.ts';

const LOGO = graphql(`
  query ClientLogo($id: ID!) {
    client(id: $id) { id logo { dataUrl kind width height size } }
  }
`);

type LogoData = NonNullable<ResultOf<typeof LOGO>['client']>['logo'];

/** The logo that fans see beside a client's name; null where they see initials. */
export function useLogo(clientId: string) {
  const { data, error, refetch, isPending, isPlaceholderData } = useView('client-logo', LOGO, { id: clientId });
  return { logo: data?.client?.logo ?? null, isLoading: isPending || isPlaceholderData, error, refetch };
}

interface LogoImageProps {
  name: string;
  logo: LogoData;
  /** Pixels. */
  size?: number;
}

/** A client's logo with its format, or that there is none. */
export function LogoImage({ name, logo, size = 48 }: LogoImageProps) {
  if (!logo) {
    return <Quiet>No logo. Fans see the initials of the name.</Quiet>;
  }
  const { dataUrl, kind, width, height } = logo;
  return (
    <Group gap="md">
      <Image src={dataUrl} alt={`Logo of ${name}`} w={size} h={size} p={4} fit="contain" radius="md" bg="white" />
      <Quiet>
        {kind}, {width} × {height} pixels, {(logo.size / 1024).toFixed(1)} KiB
      </Quiet>
    </Group>
  );
}

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
  const { logo, isLoading, error, refetch } = useLogo(clientId);
  const set = useChange(SET);
  const remove = useChange(REMOVE);
  const reset = useRef<() => void>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

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
      return `The logo of ${name} was set${isSmaller ? ', reduced in size to fit' : ''}.`;
    });
  };
  const takeAway = () =>
    change(async () => {
      await remove.mutateAsync({ clientId });
      return `The logo of ${name} was removed.`;
    });

  const button = { size: 'xs', right: 'clients:write' } as const;
  return (
    <Section
      title="Logo"
      description="Fans see it beside the name when they sign in. PNG, JPEG or WebP; a square of 128 to 512 pixels looks best. A new logo needs no review."
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
      {isLoading ? <Skeleton height={64} width={64} /> : <LogoImage name={name} logo={logo} size={64} />}
      <FailureAlert failure={error} title="The logo could not be loaded" retry={refetch} />
      <FailureAlert failure={failure} title="The logo was not changed" />
    </Section>
  );
}

/** The limits of the service; larger pictures are scaled down here. */
const MAX_BYTES = 32 * 1024;
const MAX_SIDE = 1024;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

const LOGO_TYPES = TYPES.join();

/** Pixels of the longer side, tried in this order. */
const SMALLER_SIDES = [512, 256, 128];

/** A picture within the limits. */
interface FittedLogo {
  base64: string;
  isSmaller: boolean;
}

/** The file as it is, or scaled down to the limits. @throws Failure if the browser can't draw it */
async function fitLogo(file: File): Promise<FittedLogo> {
  if (!TYPES.includes(file.type)) throw new Failure('invalid_request', 'Choose a PNG, JPEG or WebP image.');
  const picture = await createImageBitmap(file).catch(() => {
    throw new Failure('invalid_request', 'This file can’t be read as an image.');
  });
  try {
    const side = Math.max(picture.width, picture.height);
    if (file.size <= MAX_BYTES && side <= MAX_SIDE) return { base64: await base64Of(file), isSmaller: false };
    for (const smaller of SMALLER_SIDES) {
      const drawn = await draw(picture, Math.min(1, smaller / side));
      if (drawn.size <= MAX_BYTES) return { base64: await base64Of(drawn), isSmaller: true };
    }
    throw new Failure('invalid_request', 'This image is larger than 32 KiB even at 128 pixels. Choose a simpler one.');
  } finally {
    picture.close();
  }
}

/** WebP if the browser can encode it, otherwise PNG. */
function draw(picture: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const drawing = canvas.getContext('2d');
  if (drawing) {
    drawing.imageSmoothingQuality = 'high';
    drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob
        ? resolve(blob)
        : reject(new Failure('internal', 'This browser can’t resize the image. Choose a smaller one.'));
    canvas.toBlob(take, 'image/webp', 0.92);
  });
}

async function base64Of(blob: Blob): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}

/** The base64 part of a `data:` URL. */
function partOf(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(',') + 1);
}
