import { Alert, Button, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { EditForm as RegistrationForm } from '../../kit/client/edit-form.tsx';
import { asDifferences, editedOf, isInForce } from '../../kit/client/registration.ts';
import { RegistrationFacts } from '../../kit/client/registration-facts.tsx';
import { useScopes } from '../../kit/client/use-edit.ts';
import { call } from '../../kit/data/call.ts';
import { Diff } from '../../kit/parts/diff.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { LinkButton, Section } from '../../kit/parts/page.tsx';
import { CLIENT, type ClientData, waitingOf } from './document.ts';

/** A client's registration, to read and to edit; of an approved client, a change is requested and waits for review. */
export function ClientConfiguration({ client }: { client: ClientData }) {
  const [editing, setEditing] = useState(false);
  const scopes = useScopes();
  const inForce = isInForce(client);
  const waiting = inForce ? client.openReview : null;
  if (editing) return <EditForm client={client} onDone={() => setEditing(false)} />;
  return (
    <Stack gap="md">
      {waiting && (
        <Section
          title="Requested change, waiting for review"
          description="The registration in force stays as it is until the change is approved."
          actions={
            <LinkButton size="xs" href={`/clients/${client.id}?tab=reviews`}>
              See the review
            </LinkButton>
          }
        >
          <Diff
            caption="Requested change"
            beforeTitle="In force"
            afterTitle="Requested"
            differences={asDifferences(waiting.changes ?? [])}
          />
        </Section>
      )}
      <Section
        title={inForce ? 'In force' : 'Registration'}
        description={
          inForce
            ? 'What the service checks every sign-in against. Redirect URIs, scopes, the loopback option and the privacy page change after a review.'
            : 'What the service checks every sign-in against.'
        }
        actions={
          <Button size="xs" onClick={() => setEditing(true)}>
            {editLabel(inForce, waiting !== null)}
          </Button>
        }
      >
        <RegistrationFacts registration={client} scopes={scopes.data?.scopes} />
      </Section>
    </Stack>
  );
}

function editLabel(inForce: boolean, isWaiting: boolean): string {
  if (!inForce) return 'Edit';
  return isWaiting ? 'Continue editing' : 'Request a change';
}

/** Edits a client's registration; of an approved one, a change is requested. */
function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
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
