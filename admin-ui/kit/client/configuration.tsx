import { InformationCircleIcon, UsersIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import { type ReactNode, useState } from 'react';
import { call } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { ActionButton } from '../parts/dialog.tsx';
import { Diff } from '../parts/diff.tsx';
import { hasErrors } from '../parts/form.ts';
import { FailureAlert } from '../parts/instead.tsx';
import { notify } from '../parts/notify.tsx';
import { LinkButton, Section } from '../parts/page.tsx';
import { Moment } from '../parts/values.tsx';
import {
  asDifferences,
  type ClientToEdit,
  differencesBetween,
  type EditedClient,
  editedOf,
  isInForce,
  listsAnywhere,
  nameOfField,
  type WaitingEdit,
} from './registration.ts';
import { RegistrationFacts } from './registration-facts.tsx';
import { RegistrationFields } from './registration-fields.tsx';
import { type Edit, useEdit, useScopes } from './use-edit.ts';

interface ClientConfigurationProps<Client> {
  client: Client;
  /** Reads the client again, where somebody else has saved it. */
  document: TadaDocumentNode<{ client: Client | null }, { id: string }>;
  /** The edit that waits for review beside the registration in force. */
  waitingOf: (client: Client) => WaitingEdit | null | undefined;
  /** Until when the registration in force stays as it is. */
  waitingSays: ReactNode;
  /** What an edit of the registration in force is called, for those who can change only what a review decides about. */
  request?: string;
  /** Shown with an edit that needs a review. */
  notice: { title: string; text: string };
  /** What the note to the reviewers must say. */
  noteSays: string;
  children?: ReactNode;
}

/** A client's registration, to read and to edit; beside the one in force, the edit of it that waits for review. */
export function ClientConfiguration<Client extends ClientToEdit>(props: ClientConfigurationProps<Client>) {
  const { client, waitingOf, waitingSays, request = 'Edit', children } = props;
  const [editing, setEditing] = useState(false);
  const scopes = useScopes();
  const inForce = isInForce(client);
  const waiting = waitingOf(client);
  if (editing) return <EditForm {...props} onDone={() => setEditing(false)} />;
  return (
    <Stack gap="md">
      {waiting && (
        <Section
          title="Waiting for review"
          description={waitingSays}
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
            differences={asDifferences(waiting.changes ?? [])}
          />
        </Section>
      )}
      <Section
        title={inForce ? 'In force' : 'Registration'}
        description={`What the service checks every sign-in against.${inForce ? ' All but the name and the refresh retry window changes only after a review.' : ''}`}
        actions={
          <ActionButton variant="filled" size="xs" right="clients:write" onClick={() => setEditing(true)}>
            {waiting ? 'Continue editing' : inForce ? request : 'Edit'}
          </ActionButton>
        }
      >
        <RegistrationFacts
          registration={client}
          anywhere={
            listsAnywhere(client.mode, client)
              ? inForce
                ? 'the next edit needs at least one'
                : 'it is not approved without one'
              : undefined
          }
          scopes={scopes.data?.scopes}
        />
      </Section>
      {children}
    </Stack>
  );
}

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
    editClient(clientId: $clientId, version: $version, changes: $changes, note: $note) {
      ${REFUSAL} ... on Client { id name openReview { id } }
    }
  }
`);

/** Edits a client's registration. What somebody else has saved since is shown beside what is typed here. */
function EditForm<Client extends ClientToEdit>(props: ClientConfigurationProps<Client> & { onDone: () => void }) {
  const { client, document, waitingOf, request, notice, noteSays, onDone } = props;
  const { mutateAsync: editClient } = useChange(EDIT_CLIENT);
  const isRequest = request !== undefined && isInForce(client);
  const edit = useEdit({
    client: editedOf(client, waitingOf(client)),
    reload: async () => {
      const { client: latest } = await call(document, { id: client.id });
      return latest && editedOf(latest, waitingOf(latest));
    },
    save: async (changed) => {
      const { name, openReview } = await editClient({ clientId: client.id, ...changed });
      const isWaiting = openReview !== null && (isRequest || changed.note !== null);
      notify(isWaiting ? `The edit of ${name} is waiting for review.` : `${name} is saved.`);
      onDone();
    },
  });
  const { form, lint } = edit;
  const scopes = useScopes();
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={isRequest ? request : 'Edit the registration'}>
        <RegistrationFields
          form={form}
          lint={lint}
          client={client}
          scopes={scopes.data?.scopes}
          onlyReviewed={isRequest}
        />
        {(isRequest || edit.isReviewedEdit) && (
          <Alert variant="light" icon={<InformationCircleIcon />} title={notice.title}>
            {notice.text}
          </Alert>
        )}
        {edit.opensReview && (
          <Textarea
            label="Note to the reviewers"
            description={noteSays}
            required
            autosize
            minRows={2}
            maxLength={1000}
            maw={760}
            {...form.getInputProps('note')}
          />
        )}
        {edit.theirs && <StaleEdit edit={edit} theirs={edit.theirs} />}
        {lint.failure ? (
          <FailureAlert failure={lint.failure} title="Your input could not be checked" />
        ) : (
          <FailureAlert failure={form.failure} title="Nothing was saved" />
        )}
        {hasErrors(form.errors) && lint.errors && hasErrors(lint.errors) && (
          <Text size="sm" c="dimmed" role="status">
            Correct the fields above first.
          </Text>
        )}
        <Group gap="xs">
          <Button
            type="submit"
            loading={form.submitting}
            disabled={edit.changed.length === 0 || edit.theirs !== undefined}
          >
            {isRequest || edit.opensReview ? 'Submit for review' : 'Save'}
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Section>
    </form>
  );
}

/** Two people edited the same client: both versions side by side, and the choice between them. */
function StaleEdit({ edit, theirs }: { edit: Edit; theirs: EditedClient }) {
  return (
    <Alert color="yellow" variant="light" icon={<UsersIcon />} title="Someone else has saved this client">
      <Stack gap="sm">
        <Text size="sm">
          Your changes were not saved. Theirs were saved <Moment at={theirs.updatedAt} />. “Save mine” replaces only
          what you changed yourself ({edit.changed.map(nameOfField).join(', ')}).
        </Text>
        <Diff
          caption="Their version and yours"
          beforeTitle="Saved by someone else"
          afterTitle="Typed by you"
          differences={differencesBetween(theirs.registration, edit.mine)}
        />
        <Group gap="xs">
          <Button size="xs" onClick={() => void edit.saveOver(theirs)}>
            Save mine
          </Button>
          <Button size="xs" variant="default" onClick={() => edit.goOnFrom(theirs)}>
            Discard mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
