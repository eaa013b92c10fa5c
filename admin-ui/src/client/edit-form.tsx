import { Button, Group, NumberInput, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { Section } from '../parts/section.tsx';
import { hasErrors } from '../parts/use-send-form.ts';
import { Origins } from '../registration/code-list.tsx';
import { RedirectUrisField } from '../registration/redirect-uris-field.tsx';
import { ScopesField, useScopes } from '../registration/scopes-field.tsx';
import type { ClientData } from './document.ts';
import { StaleEdit } from './stale-edit.tsx';
import { useEdit } from './use-edit.ts';

/** Edits a client's registration. What somebody else saved meanwhile is shown beside what is typed here. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  const edit = useEdit(client, onDone);
  const { form, lint } = edit;
  const scopes = useScopes();
  return (
    <>
      <form onSubmit={form.submit} noValidate>
        <Section title="Edit the registration">
          <TextInput
            label="Name"
            description="Fans read it on the consent page."
            required
            maw={520}
            {...form.getInputProps('name')}
            error={lint.errors?.name}
          />
          <Stack gap="xs" maw={760}>
            <Title order={3}>Redirect URIs</Title>
            <RedirectUrisField
              {...form.getInputProps('redirectUris')}
              value={form.values.redirectUris}
              error={lint.errors?.redirectUris}
              faults={lint.redirectUriFaults}
              mode={client.mode}
            />
            <Text size="sm" c="dimmed">
              Origins that may call from a browser:
            </Text>
            <Origins origins={lint.corsOrigins ?? client.corsOrigins} />
          </Stack>
          <Stack gap="xs">
            <Title order={3}>Scopes</Title>
            {scopes.data ? (
              <ScopesField
                {...form.getInputProps('scopes')}
                value={form.values.scopes}
                error={lint.errors?.scopes}
                options={scopes.data.scopes}
              />
            ) : (
              <Skeleton height={240} />
            )}
          </Stack>
          <Switch
            label="Any port on loopback"
            description="For native apps: redirect URIs on 127.0.0.1 and [::1] match with any port."
            {...form.getInputProps('loopbackAnyPort', { type: 'checkbox' })}
            error={lint.errors?.loopbackAnyPort}
          />
          <NumberInput
            label="Refresh retry window, in seconds"
            description="How long a refresh token that was just used is answered once more, for apps on bad lines. 0 turns it off."
            min={0}
            max={30}
            allowDecimal={false}
            hideControls
            maw={360}
            {...form.getInputProps('refreshRetryWindow')}
            onChange={(value) => form.setFieldValue('refreshRetryWindow', Number(value))}
            error={lint.errors?.refreshRetryWindow}
          />
          {edit.theirs && <StaleEdit edit={edit} theirs={edit.theirs} />}
          {lint.failure ? (
            <FailureAlert failure={lint.failure} title="What you type can’t be checked" />
          ) : (
            <FailureAlert failure={form.failure} title="Nothing was saved" />
          )}
          {hasErrors(form.errors) && lint.errors && hasErrors(lint.errors) && (
            <Text size="sm" c="dimmed" role="status">
              Something above still needs a correction.
            </Text>
          )}
          <Group gap="xs">
            <Button
              type="submit"
              loading={form.submitting}
              disabled={edit.changed.length === 0 || edit.theirs !== undefined}
            >
              Save
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Section>
      </form>
      {edit.asksForReview && (
        <ConfirmDialog
          title="This takes the client back to review"
          confirmLabel="Save and send back to review"
          dangerous
          run={edit.saveAndReview}
          onClose={edit.cancelReview}
        >
          {client.name} is {client.status.toLowerCase()} as it was approved. Redirect URIs and scopes are part of that:
          with this edit nobody can sign in or call the API with it until somebody else has approved it and it is
          enabled again.
        </ConfirmDialog>
      )}
    </>
  );
}
