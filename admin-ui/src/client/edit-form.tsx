import { Button, Group, NumberInput, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { Section } from '../parts/section.tsx';
import { Origins } from '../registration/origins.tsx';
import { RedirectUrisField } from '../registration/redirect-uris-field.tsx';
import { ScopesField } from '../registration/scopes-field.tsx';
import { isWell, useLint } from '../registration/use-lint.ts';
import { useScopes } from '../registration/use-scopes.ts';
import { ConfirmReview } from './confirm-review.tsx';
import type { ClientData } from './document.ts';
import { StaleEdit } from './stale-edit.tsx';
import { useEdit } from './use-edit.ts';

/** Edits a client's registration. What somebody else saved meanwhile is shown beside what is typed here. */
export function EditForm({ client, onDone }: { client: ClientData; onDone: () => void }) {
  const edit = useEdit(client, onDone);
  const { typed, change } = edit;
  const { lint, failure: lintFailure, redirectUriFaults, check } = useLint({ ...typed, mode: client.mode });
  const scopes = useScopes();
  const [hasFault, setHasFault] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await check().catch(() => undefined);
    setHasFault(answer !== undefined && !isWell(answer));
    if (answer && isWell(answer)) await edit.save();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Section title="Edit the registration">
        <TextInput
          label="Name"
          description="Fans read it on the consent page."
          required
          maw={520}
          value={typed.name}
          error={lint?.name ? `It ${lint.name}.` : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Stack gap="xs" maw={760}>
          <Title order={3}>Redirect URIs</Title>
          <RedirectUrisField
            uris={typed.redirectUris}
            onChange={(redirectUris) => change({ redirectUris })}
            faults={redirectUriFaults}
            fault={lint?.redirectUrisFault ?? undefined}
            mode={client.mode}
          />
          <Text size="sm" c="dimmed">
            Origins that may call from a browser:
          </Text>
          <Origins origins={lint?.corsOrigins ?? client.corsOrigins} />
        </Stack>
        <Stack gap="xs">
          <Title order={3}>Scopes</Title>
          {scopes.data ? (
            <ScopesField
              options={scopes.data.scopes}
              value={typed.scopes}
              onChange={(next) => change({ scopes: next })}
              fault={lint?.scopesFault ?? undefined}
            />
          ) : (
            <Skeleton height={240} />
          )}
        </Stack>
        <Switch
          label="Any port on loopback"
          description="For native apps: redirect URIs on 127.0.0.1 and [::1] match with any port."
          checked={typed.loopbackAnyPort}
          error={lint?.loopbackAnyPort ? `It ${lint.loopbackAnyPort}.` : undefined}
          onChange={(event) => change({ loopbackAnyPort: event.currentTarget.checked })}
        />
        <NumberInput
          label="Refresh retry window, in seconds"
          description="How long a refresh token that was just used is answered once more, for apps on bad lines. 0 turns it off."
          min={0}
          max={30}
          allowDecimal={false}
          hideControls
          maw={360}
          value={typed.refreshRetryWindow}
          error={lint?.refreshRetryWindow ? `It ${lint.refreshRetryWindow}.` : undefined}
          onChange={(value) => change({ refreshRetryWindow: Number(value) })}
        />
        {edit.theirs && <StaleEdit edit={edit} theirs={edit.theirs} />}
        <FailureAlert failure={lintFailure} title="What you type can’t be checked" />
        <FailureAlert failure={edit.failure} title="Nothing was saved" />
        {hasFault && lint && !isWell(lint) && (
          <Text size="sm" c="dimmed" role="status">
            Something above still needs a correction.
          </Text>
        )}
        <Group gap="xs">
          <Button
            type="submit"
            loading={edit.isSaving}
            disabled={edit.changed.length === 0 || edit.theirs !== undefined}
          >
            Save
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Section>
      {edit.asksForReview && <ConfirmReview edit={edit} client={client} />}
    </form>
  );
}
