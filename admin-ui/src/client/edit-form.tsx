import {
  Alert,
  Button,
  Group,
  NumberInput,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Origins } from '../../../console-kit/client/code-list.tsx';
import { RedirectUrisField } from '../../../console-kit/client/redirect-uris-field.tsx';
import { FailureAlert } from '../../../console-kit/parts/failure-alert.tsx';
import { Section } from '../../../console-kit/parts/section.tsx';
import { hasErrors } from '../../../console-kit/parts/use-send-form.ts';
import { ScopesField, useScopes } from '../registration/scopes-field.tsx';
import { type ClientData, waitingEditOf } from './document.ts';
import { StaleEdit } from './stale-edit.tsx';
import { useEdit } from './use-edit.ts';

/** Edits a client's registration. What someone else has saved since is shown beside what is typed here. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  const edit = useEdit(client, onDone);
  const { form, lint } = edit;
  const scopes = useScopes();
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={waitingEditOf(client) ? 'Edit the registration in review' : 'Edit the registration'}>
        <TextInput
          label="Name"
          description="Fans see it on the consent page."
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
            Origins that can call the API from a browser (CORS):
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
          description="For native apps: redirect URIs on 127.0.0.1 and [::1] match on any port."
          {...form.getInputProps('loopbackAnyPort', { type: 'checkbox' })}
          error={lint.errors?.loopbackAnyPort}
        />
        <NumberInput
          label="Refresh retry window, in seconds"
          description="How long a used refresh token is accepted a second time, for apps with poor connections. 0 turns this off."
          min={0}
          max={30}
          allowDecimal={false}
          hideControls
          maw={360}
          {...form.getInputProps('refreshRetryWindow')}
          onChange={(value) => form.setFieldValue('refreshRetryWindow', Number(value))}
          error={lint.errors?.refreshRetryWindow}
        />
        {edit.isReviewedEdit && (
          <Alert
            variant="light"
            icon={<IconInfoCircle aria-hidden />}
            title="Nothing changes for fans until this is approved"
          >
            The registration in force stays as it is. Redirect URIs, scopes and the loopback option change when someone
            else approves them; the name and the refresh retry window change when you save.
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
