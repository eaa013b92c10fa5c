import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { EditForm as RegistrationForm } from '../../kit/client/edit-form.tsx';
import { editedOf, isInForce } from '../../kit/client/registration.ts';
import { call } from '../../kit/data/call.ts';
import { notify } from '../../kit/parts/notify.tsx';
import { CLIENT, type ClientData, waitingOf } from './document.ts';

/** Edits a client's registration; of an approved one, a change is requested. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  const inForce = isInForce(client);
  return (
    <RegistrationForm
      client={client}
      edited={editedOf(client, waitingOf(client))}
      reload={async () => {
        const { client: latest } = await call(CLIENT, { id: client.id });
        return latest && editedOf(latest, waitingOf(latest));
      }}
      title={inForce ? 'Request a change' : 'Edit the registration'}
      note={{ description: 'What this changes, and why.', missing: 'Say what the change is for.' }}
      isSubmitted={(edit) => edit.isInForce}
      onlyReviewed={inForce}
      onSaved={({ name, isWaiting }) =>
        notify(inForce && isWaiting ? 'The change is waiting for review.' : `${name} is saved.`)
      }
      onDone={onDone}
    >
      {inForce && (
        <Alert variant="light" icon={<IconInfoCircle aria-hidden />} title="Nothing changes until this is approved">
          The registration in force stays as it is. The people who run this service review redirect URIs, scopes, the
          loopback option and the privacy page. They also change the name and the refresh retry window for you.
        </Alert>
      )}
    </RegistrationForm>
  );
}
