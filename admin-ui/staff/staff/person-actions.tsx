import { Group } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../../kit/parts/undo.tsx';
import { useViewer } from '../data/viewer.ts';
import { ChangeRole } from './change-role.tsx';
import { BY_LINKS, DISABLE, ENABLE, END_SESSIONS, type Person, RENEW } from './documents.ts';
import { LinkShown, type ShownLink } from './link-shown.tsx';

/** Changes a person's role, ends sessions, disables access, enables it again, or makes a new sign-in link. */
export function PersonActions({ person }: { person: Person }) {
  const { id, name, issuer, disabledAt } = person;
  const { viewer } = useViewer();
  const [disable, enable, renew, endSessions] = [
    useChange(DISABLE),
    useChange(ENABLE),
    useChange(RENEW),
    useChange(END_SESSIONS),
  ];
  const [link, setLink] = useState<ShownLink>();
  const button = { size: 'xs', variant: 'default', right: 'staff:write', fresh: true } as const;
  const labelled = (label: string, hidden = name) => (
    <>
      {label}
      <span className="visually-hidden"> {hidden}</span>
    </>
  );
  return (
    <Group gap={6} maw={340}>
      {disabledAt === null && (
        <>
          <ChangeRole {...button} person={person} disabledReason={roleLack(person, viewer.id)}>
            {labelled('Role', `of ${name}`)}
          </ChangeRole>
          <ConfirmButton
            {...button}
            label={labelled('Sign out')}
            title={`Sign ${name} out everywhere`}
            confirmLabel="Sign out"
            reason={{ label: 'Reason' }}
            run={async (reason) => {
              await endSessions.mutateAsync({ id, reason });
              notify(`${name} is signed out in all browsers.`);
            }}
          >
            Sessions end in all browsers. Access tokens stay, and the person can sign in again.
          </ConfirmButton>
        </>
      )}
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

/** Why nobody here changes the role; undefined where an admin can. */
function roleLack({ id, issuer }: Person, viewer: string): string | undefined {
  if (issuer !== BY_LINKS) return 'The groups at your company’s sign-in service decide the role.';
  return id === viewer ? 'You can’t change your own role. Ask another admin.' : undefined;
}
