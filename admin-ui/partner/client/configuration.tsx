import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { asDifferences, isInForce } from '../../kit/client/registration.ts';
import { RegistrationFacts } from '../../kit/client/registration-facts.tsx';
import { useScopes } from '../../kit/client/use-edit.ts';
import { Diff } from '../../kit/parts/diff.tsx';
import { LinkButton, Section } from '../../kit/parts/page.tsx';
import type { ClientData } from './document.ts';
import { EditForm } from './edit-form.tsx';

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
