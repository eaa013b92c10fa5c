import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { EditForm as RegistrationForm } from '../../kit/client/edit-form.tsx';
import { asDifferences, editedOf, isInForce } from '../../kit/client/registration.ts';
import { RegistrationFacts } from '../../kit/client/registration-facts.tsx';
import { useScopes } from '../../kit/client/use-edit.ts';
import { call } from '../../kit/data/call.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { Diff } from '../../kit/parts/diff.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { LinkButton, Section } from '../../kit/parts/page.tsx';
import { CLIENT, type ClientData, type ReviewData, submitterOf, waitingEditOf } from './document.ts';
import { LogoField } from './logo.tsx';

/** A client's registration and logo, to read and to edit; an edit that waits stands beside what is in force. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  const [editing, setEditing] = useState(false);
  const edit = waitingEditOf(client);
  const scopes = useScopes();
  if (editing) return <EditForm client={client} onDone={() => setEditing(false)} />;
  return (
    <Stack gap="md">
      {edit && <WaitingEdit client={client} edit={edit} />}
      <Section
        title={isInForce(client) ? 'In force' : 'Registration'}
        description={
          isInForce(client)
            ? 'What the service checks every sign-in against. Redirect URIs, scopes, the loopback option and the privacy page change only after a review.'
            : 'What the service checks every sign-in against.'
        }
        actions={
          <ActionButton variant="filled" size="xs" right="clients:write" onClick={() => setEditing(true)}>
            {edit ? 'Continue editing' : 'Edit'}
          </ActionButton>
        }
      >
        <RegistrationFacts registration={client} scopes={scopes.data?.scopes} />
      </Section>
      <LogoField client={client} />
    </Stack>
  );
}

function WaitingEdit({ client, edit }: { client: ClientData; edit: ReviewData }) {
  return (
    <Section
      title="Waiting for review"
      description={`${submitterOf(edit)} submitted this edit. Until someone else approves it, the registration in force stays as it is.`}
      actions={
        <LinkButton size="xs" href={`/clients/${client.id}?tab=review`}>
          See the review
        </LinkButton>
      }
    >
      <Diff
        caption="Edit waiting for review"
        beforeTitle="In force"
        afterTitle="Waiting for review"
        differences={asDifferences(edit.changes ?? [])}
      />
    </Section>
  );
}

/** Edits a client's registration; of an approved one, the edit waits for a second person. */
function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
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
