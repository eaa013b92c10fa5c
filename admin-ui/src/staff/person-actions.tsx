import { Group } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../console-kit/data/view.ts';
import { ConfirmButton } from '../../../console-kit/parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../../../console-kit/parts/undo.tsx';
import { useViewer } from '../data/viewer.ts';
import { BY_LINKS, DISABLE, ENABLE, type Person, RENEW } from './documents.ts';
import { LinkShown, type ShownLink } from './link-shown.tsx';

/** Disables a person's access, enables it again, or makes a new sign-in link. */
export function PersonActions({ person: { id, name, issuer, disabledAt } }: { person: Person }) {
  const { viewer } = useViewer();
  const [disable, enable, renew] = [useChange(DISABLE), useChange(ENABLE), useChange(RENEW)];
  const [link, setLink] = useState<ShownLink>();
  const button = { size: 'xs', variant: 'default', right: 'staff:write', fresh: true } as const;
  const labelled = (label: string, hidden = name) => (
    <>
      {label}
      <span className="visually-hidden"> {hidden}</span>
    </>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {disabledAt === null ? (
        <ConfirmButton
          {...button}
          label={labelled('Disable')}
          disabledReason={viewer.id === id ? 'You can’t disable yourself. Ask another admin.' : undefined}
          title={`Disable ${name}`}
          confirmLabel="Disable"
          dangerous
          reason={{ label: 'Reason' }}
          run={async (reason) => {
            await disable.mutateAsync({ id, reason });
            notifyWithUndo(`${name} is disabled.`, () => enable.mutateAsync({ id }));
          }}
        >
          Sessions and sign-in links end, and tokens are revoked. Revoked tokens can’t be restored.
        </ConfirmButton>
      ) : (
        <ConfirmButton
          {...button}
          label={labelled('Enable')}
          title={`Enable ${name}`}
          confirmLabel="Enable"
          run={async () => {
            await enable.mutateAsync({ id });
            notify(`${name} can sign in again.`);
          }}
        >
          They can sign in again. Revoked tokens stay revoked.
        </ConfirmButton>
      )}
      {issuer === BY_LINKS && disabledAt === null && (
        <ConfirmButton
          {...button}
          label={labelled('New link', `for ${name}`)}
          title={`New link for ${name}`}
          confirmLabel="Create link"
          run={async () => setLink(await renew.mutateAsync({ id }))}
        >
          Unused earlier links stay valid until they expire.
        </ConfirmButton>
      )}
      {link && <LinkShown link={link} onClose={() => setLink(undefined)} />}
    </Group>
  );
}
