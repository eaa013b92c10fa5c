import { Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Origins } from './code-list.tsx';
import { RedirectUrisField } from './redirect-uris-field.tsx';
import type { Registration } from './registration.ts';
import { RetryWindowField } from './retry-window-field.tsx';
import { type ScopeOption, ScopesField } from './scopes-field.tsx';
import type { useLint } from './use-lint.ts';

interface RegistrationFieldsProps<Values extends Omit<Registration, 'mode'>> {
  form: Pick<UseFormReturnType<Values>, 'getInputProps' | 'setFieldValue' | 'values'>;
  lint: ReturnType<typeof useLint>;
  client: { mode: Registration['mode']; corsOrigins: readonly string[] };
  /** All scopes; undefined until they are loaded. */
  scopes: readonly ScopeOption[] | undefined;
  /** Only what a review decides about. */
  onlyReviewed?: boolean;
}

/** The fields of a client's registration. */
export function RegistrationFields<Values extends Omit<Registration, 'mode'>>({
  form,
  lint,
  client,
  scopes,
  onlyReviewed = false,
}: RegistrationFieldsProps<Values>) {
  return (
    <>
      {!onlyReviewed && (
        <TextInput
          label="Name"
          description="Fans see it on the consent page."
          required
          maw={520}
          {...form.getInputProps('name')}
          error={lint.errors?.name}
        />
      )}
      <TextInput
        label="Privacy page"
        description="Your company’s. Fans can open it on the consent page, before they allow anything."
        type="url"
        maw={520}
        {...form.getInputProps('privacyUrl')}
        error={lint.errors?.privacyUrl}
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
        {scopes ? (
          <ScopesField
            {...form.getInputProps('scopes')}
            value={form.values.scopes}
            error={lint.errors?.scopes}
            options={scopes}
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
      {!onlyReviewed && (
        <RetryWindowField
          {...form.getInputProps('refreshRetryWindow')}
          onChange={(seconds) => form.setFieldValue('refreshRetryWindow', seconds as never)}
          error={lint.errors?.refreshRetryWindow}
        />
      )}
    </>
  );
}
