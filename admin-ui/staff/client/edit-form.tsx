import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { RegistrationFields } from '../../kit/client/registration-fields.tsx';
import { StaleEdit } from '../../kit/client/stale-edit.tsx';
import { useEdit } from '../../kit/client/use-edit.ts';
import { call } from '../../kit/data/call.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { hasErrors } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { graphql } from '../data/graphql.ts';
import { LINT } from '../registration/lint-document.ts';
import { useScopes } from '../registration/use-scopes.ts';
import { CLIENT, type ClientData, editedOf, waitingEditOf } from './document.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
    editClient(clientId: $clientId, version: $version, changes: $changes, note: $note) {
      ${REFUSAL} ... on Client { id name openReview { id } }
    }
  }
`);

/** Edits a client's registration. What someone else has saved since is shown beside what is typed here. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  const { mutateAsync: editClient } = useChange(EDIT_CLIENT);
  const edit = useEdit({
    client: editedOf(client),
    lint: LINT,
    reload: async () => {
      const latest = await call(CLIENT, { id: client.id });
      return latest.client && editedOf(latest.client);
    },
    save: async (changed) => {
      const { name, openReview } = await editClient({ clientId: client.id, ...changed });
      const isWaiting = changed.note !== null && openReview;
      notify(isWaiting ? `The edit of ${name} is waiting for review.` : `${name} is saved.`);
      onDone();
    },
    noteMissing: 'Tell the reviewers what this is for.',
  });
  const { form, lint } = edit;
  const scopes = useScopes();
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={waitingEditOf(client) ? 'Edit the registration in review' : 'Edit the registration'}>
        <RegistrationFields form={form} lint={lint} client={client} scopes={scopes.data?.scopes} />
        {edit.isReviewedEdit && (
          <Alert
            variant="light"
            icon={<IconInfoCircle aria-hidden />}
            title="Nothing changes for fans until this is approved"
          >
            The registration in force stays as it is. Redirect URIs, scopes, the loopback option and the privacy page
            change when someone else approves them; the name and the refresh retry window change when you save.
          </Alert>
        )}
        {edit.opensReview && (
          <Textarea
            label="Note to the reviewers"
            description="What this changes, and who asked for it."
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
            {edit.opensReview ? 'Submit for review' : 'Save'}
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Section>
    </form>
  );
}
