import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldsThatDiffer } from '../../../../console-kit/client/field-names.ts';
import { RegistrationFields } from '../../../../console-kit/client/registration-fields.tsx';
import { filledIn, useLint } from '../../../../console-kit/client/use-lint.ts';
import { REFUSAL } from '../../../../console-kit/data/document.ts';
import { useChange } from '../../../../console-kit/data/view.ts';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { hasErrors, useSendForm } from '../../../../console-kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';
import { type ClientData, editableOf, isInForce, LINT, useScopes } from './document.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
    editClient(clientId: $clientId, version: $version, changes: $changes, note: $note) {
      ${REFUSAL} ... on Client { id openReview { id } }
    }
  }
`);

/** Edits a client's registration from the version that is shown when editing begins. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  // a later version does not change the form; saving over it is refused
  const [seen] = useState(client);
  const base = editableOf(seen);
  const edit = useChange(EDIT_CLIENT);
  const scopes = useScopes();
  const isReviewed = isInForce(seen);
  const opensReview = isReviewed && seen.openReview === null;
  const form = useSendForm({
    initialValues: { ...base, note: '' },
    validate: { note: (text) => (opensReview && text.trim() === '' ? 'Say what the change is for.' : null) },
    check: () => lint.check(),
    send: async ({ note }) => {
      const changes = Object.fromEntries(changed.map((field) => [field, mine[field]]));
      const { openReview } = await edit.mutateAsync({
        clientId: seen.id,
        version: seen.version,
        changes,
        note: opensReview ? note.trim() : null,
      });
      notify(isReviewed && openReview ? 'The change is waiting for review.' : `${mine.name} is saved.`);
      onDone();
    },
  });
  const { note: _, ...typed } = form.values;
  const lint = useLint(LINT, { ...typed, mode: seen.mode });
  const mine = { ...typed, name: typed.name.trim(), redirectUris: filledIn(typed.redirectUris) };
  const changed = fieldsThatDiffer(base, mine);
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={isReviewed ? 'Request a change' : 'Edit the registration'}>
        {isReviewed && (
          <Alert variant="light" icon={<IconInfoCircle aria-hidden />} title="Nothing changes until this is approved">
            The registration in force stays as it is. The people who run this service review redirect URIs, scopes and
            the loopback option. They also change the name and the refresh retry window for you.
          </Alert>
        )}
        <RegistrationFields
          form={form}
          lint={lint}
          client={seen}
          scopes={scopes.data?.scopes}
          onlyReviewed={isReviewed}
        />
        {opensReview && (
          <Textarea
            label="Note to the reviewers"
            description="What this changes, and why."
            required
            autosize
            minRows={2}
            maxLength={1000}
            maw={760}
            {...form.getInputProps('note')}
          />
        )}
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
          <Button type="submit" loading={form.submitting} disabled={changed.length === 0}>
            {isReviewed ? 'Submit for review' : 'Save'}
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Section>
    </form>
  );
}
