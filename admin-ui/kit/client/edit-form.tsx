import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { graphql } from '../data/graphql.ts';
import { REFUSAL, useChange } from '../data/view.ts';
import { Diff } from '../parts/diff.tsx';
import { hasErrors } from '../parts/form.ts';
import { FailureAlert } from '../parts/instead.tsx';
import { Section } from '../parts/page.tsx';
import { Moment } from '../parts/values.tsx';
import { differencesBetween, type EditedClient, nameOfField } from './registration.ts';
import { RegistrationFields } from './registration-fields.tsx';
import { type Edit, useEdit, useScopes } from './use-edit.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
    editClient(clientId: $clientId, version: $version, changes: $changes, note: $note) {
      ${REFUSAL} ... on Client { id name openReview { id } }
    }
  }
`);

interface EditFormProps {
  client: { id: string; corsOrigins: readonly string[] };
  edited: EditedClient;
  /** Reads the client once more; null where it is gone. */
  reload: () => Promise<EditedClient | null>;
  title: string;
  /** Above the fields. */
  children?: ReactNode;
  /** Under them, of what the edit has become. */
  notice?: (edit: Edit) => ReactNode;
  note: { description: string; missing: string };
  /** Whether the edit goes to the reviewers: the button says so. */
  isSubmitted: (edit: Edit) => boolean;
  /** Only what a review decides about. */
  onlyReviewed?: boolean;
  onSaved: (saved: { name: string; isWaiting: boolean; hasNote: boolean }) => void;
  onDone: () => void;
}

/** Edits a client's registration. What somebody else has saved since is shown beside what is typed here. */
export function EditForm(props: EditFormProps) {
  const { client, edited, reload, title, children, notice, note, isSubmitted, onlyReviewed = false } = props;
  const { mutateAsync: editClient } = useChange(EDIT_CLIENT);
  const edit = useEdit({
    client: edited,
    reload,
    save: async (changed) => {
      const { name, openReview } = await editClient({ clientId: client.id, ...changed });
      props.onSaved({ name, isWaiting: openReview !== null, hasNote: changed.note !== null });
      props.onDone();
    },
    noteMissing: note.missing,
  });
  const { form, lint } = edit;
  const scopes = useScopes();
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={title}>
        {children}
        <RegistrationFields
          form={form}
          lint={lint}
          client={{ mode: edited.mode, corsOrigins: client.corsOrigins }}
          scopes={scopes.data?.scopes}
          onlyReviewed={onlyReviewed}
        />
        {notice?.(edit)}
        {edit.opensReview && (
          <Textarea
            label="Note to the reviewers"
            description={note.description}
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
            {isSubmitted(edit) ? 'Submit for review' : 'Save'}
          </Button>
          <Button variant="default" onClick={props.onDone}>
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
    <Alert color="yellow" variant="light" icon={<IconUsers aria-hidden />} title="Someone else has saved this client">
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
