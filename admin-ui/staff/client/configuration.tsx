import { Stack } from '@mantine/core';
import { useState } from 'react';
import { asDifferences, isInForce } from '../../kit/client/registration.ts';
import { RegistrationFacts } from '../../kit/client/registration-facts.tsx';
import { useScopes } from '../../kit/client/use-edit.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { Diff } from '../../kit/parts/diff.tsx';
import { LinkButton, Section } from '../../kit/parts/page.tsx';
import { type ClientData, type ReviewData, submitterOf, waitingEditOf } from './document.ts';
import { EditForm } from './edit-form.tsx';
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
