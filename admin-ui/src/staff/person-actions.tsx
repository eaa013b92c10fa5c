import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useFreshly } from '../data/fresh.ts';
import { useChange } from '../data/view.ts';
import { useDisabledReason, useViewer } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../parts/undo.tsx';
import { BY_LINKS, DISABLE, ENABLE, type Person, RENEW } from './documents.ts';
import { LinkShown, type ShownLink } from './link-shown.tsx';

/** Closes the console for a person, opens it again, or makes a new link for them. */
export function PersonActions({ person }: { person: Person }) {
  const { id, name, issuer, disabledAt } = person;
  const { viewer } = useViewer();
  const freshly = useFreshly();
  const lacks = useDisabledReason('staff:write');
  const [disable, enable, renew] = [useChange(DISABLE), useChange(ENABLE), useChange(RENEW)];
  const [asked, setAsked] = useState<'disable' | 'enable' | 'link'>();
  const [link, setLink] = useState<ShownLink>();
  const isSelf = viewer.id === id ? 'This is you: another admin can do it.' : undefined;
  const close = () => setAsked(undefined);
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Group gap={6} wrap="nowrap">
      {disabledAt === null ? (
        <ActionButton {...button} disabledReason={lacks ?? isSelf} onClick={() => freshly(() => setAsked('disable'))}>
          Disable
          <span className="visually-hidden"> {name}</span>
        </ActionButton>
      ) : (
        <ActionButton {...button} disabledReason={lacks} onClick={() => freshly(() => setAsked('enable'))}>
          Enable
          <span className="visually-hidden"> {name}</span>
        </ActionButton>
      )}
      {issuer === BY_LINKS && disabledAt === null && (
        <ActionButton {...button} disabledReason={lacks} onClick={() => freshly(() => setAsked('link'))}>
          New link
          <span className="visually-hidden"> for {name}</span>
        </ActionButton>
      )}
      {asked === 'disable' && (
        <ConfirmDialog
          title={`Disable ${name}`}
          confirmLabel="Disable"
          dangerous
          reason={{ label: 'Reason' }}
          run={async (reason) => {
            await disable.mutateAsync({ id, reason });
            notifyWithUndo(`${name} is out.`, () => enable.mutateAsync({ id }));
          }}
          onClose={close}
        >
          <Text size="sm">Sessions and links end at once and tokens are revoked; tokens stay so for good.</Text>
        </ConfirmDialog>
      )}
      {asked === 'enable' && (
        <ConfirmDialog
          title={`Enable ${name}`}
          confirmLabel="Enable"
          run={async () => {
            await enable.mutateAsync({ id });
            notify(`${name} may sign in again.`);
          }}
          onClose={close}
        >
          <Text size="sm">From their next sign-in on. Tokens that were revoked stay revoked.</Text>
        </ConfirmDialog>
      )}
      {asked === 'link' && (
        <ConfirmDialog
          title={`New link for ${name}`}
          confirmLabel="Make the link"
          run={async () => setLink(await renew.mutateAsync({ id }))}
          onClose={close}
        >
          <Text size="sm">A link that was made before and not used stays good until it expires.</Text>
        </ConfirmDialog>
      )}
      {link && <LinkShown link={link} onClose={() => setLink(undefined)} />}
    </Group>
  );
}
