import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { EditForm as RegistrationForm } from '../../kit/client/edit-form.tsx';
import { editedOf } from '../../kit/client/registration.ts';
import { call } from '../../kit/data/call.ts';
import { notify } from '../../kit/parts/notify.tsx';
import { CLIENT, type ClientData, waitingEditOf } from './document.ts';

/** Edits a client's registration; of an approved one, the edit waits for a second person. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  return (
    <RegistrationForm
      client={client}
      edited={editedOf(client, waitingEditOf(client))}
      reload={async () => {
        const { client: latest } = await call(CLIENT, { id: client.id });
        return latest && editedOf(latest, waitingEditOf(latest));
      }}
      title={waitingEditOf(client) ? 'Edit the registration in review' : 'Edit the registration'}
      notice={({ isReviewedEdit }) =>
        isReviewedEdit && (
          <Alert
            variant="light"
            icon={<IconInfoCircle aria-hidden />}
            title="Nothing changes for fans until this is approved"
          >
            The registration in force stays as it is. Redirect URIs, scopes, the loopback option and the privacy page
            change when someone else approves them; the name and the refresh retry window change when you save.
          </Alert>
        )
      }
      note={{
        description: 'What this changes, and who asked for it.',
        missing: 'Tell the reviewers what this is for.',
      }}
      isSubmitted={({ opensReview }) => opensReview}
      onSaved={({ name, isWaiting, hasNote }) =>
        notify(hasNote && isWaiting ? `The edit of ${name} is waiting for review.` : `${name} is saved.`)
      }
      onDone={onDone}
    />
  );
}
