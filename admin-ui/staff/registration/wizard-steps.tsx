import { Alert, Radio, Skeleton, Stack, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { CodeList, Origins } from '../../kit/client/registration-facts.tsx';
import { RedirectUrisField, RetryWindowField, ScopesField } from '../../kit/client/registration-fields.tsx';
import { filledIn, useScopes } from '../../kit/client/use-edit.ts';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Facts, ModeMark } from '../../kit/parts/values.tsx';
import { PartnerSelect } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import type { StepProps } from '../pages/register-client.tsx';

/** Whose client it is, for which mode, and its name. */
export function BasicsStep({ form, lint }: StepProps) {
  // an empty name is reported only on going on
  const nameError = form.values.name === '' ? form.errors.name : lint.errors?.name;
  return (
    <Stack gap="lg" maw={620}>
      <PartnerSelect {...form.getInputProps('partnerId')} value={form.values.partnerId} />
      <Radio.Group label="Mode" description="You can’t change it later." {...form.getInputProps('mode')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="SANDBOX"
            label="Sandbox"
            description="Test users and test events only. Ready immediately. Redirect URIs can use http://localhost."
          />
          <Radio
            value="PRODUCTION"
            label="Production"
            description="Real fans. Starts as a draft and is enabled after a second person approves it. https only."
          />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Name"
        description="The app’s name as fans know it. Shown on the consent page."
        required
        {...form.getInputProps('name')}
        error={nameError}
      />
      <TextInput
        label="Privacy page"
        description="The company’s. Fans can open it on the consent page, before they allow anything."
        type="url"
        {...form.getInputProps('privacyUrl')}
        error={lint.errors?.privacyUrl}
      />
    </Stack>
  );
}

/** Where codes are sent, and which browser origins follow from it. */
export function RedirectStep({ form, lint }: StepProps) {
  return (
    <Stack gap="lg" maw={760}>
      <Stack gap={4}>
        <Title order={2}>Redirect URIs</Title>
        <Quiet>
          After sign-in, the fan’s browser returns to one of these with the authorization code. The app must send it
          exactly as written here.
        </Quiet>
      </Stack>
      <RedirectUrisField
        {...form.getInputProps('redirectUris')}
        value={form.values.redirectUris}
        mode={form.values.mode}
        faults={lint.redirectUriFaults}
      />
      <Stack gap={4}>
        <Title order={3}>Allowed browser origins (CORS)</Title>
        <Origins origins={lint.corsOrigins ?? []} />
      </Stack>
      <RetryWindowField
        {...form.getInputProps('refreshRetryWindow')}
        onChange={(seconds) => form.setFieldValue('refreshRetryWindow', seconds)}
        error={lint.errors?.refreshRetryWindow}
      />
    </Stack>
  );
}

/** What the client may ask fans for. */
export function ScopesStep({ form, lint }: StepProps) {
  const { data, error, refetch } = useScopes();
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={2}>Scopes</Title>
        <Quiet>
          The most that the app can ask for. Fans see each action on the consent page and can refuse it. Fewer scopes
          mean fewer questions.
        </Quiet>
      </Stack>
      <FailureAlert failure={error} title="The scopes could not be loaded" retry={refetch} />
      {data ? (
        <ScopesField
          {...form.getInputProps('scopes')}
          value={form.values.scopes}
          error={lint.errors?.scopes}
          options={data.scopes}
        />
      ) : (
        <Skeleton height={280} />
      )}
    </Stack>
  );
}

const NAME = graphql(`
  query PartnerName($id: ID!) {
    partner(id: $id) { id name }
  }
`);

/** All values, before the client is registered. */
export function SummaryStep({ form: { values }, lint }: StepProps) {
  const partner = useView('partner-name', NAME, { id: values.partnerId }).data?.partner;
  return (
    <Stack gap="lg">
      <Title order={2}>Summary</Title>
      <Facts
        of={{
          Name: values.name.trim(),
          Partner: partner?.name ?? <Skeleton height={16} width={140} />,
          Mode: <ModeMark mode={values.mode} />,
          'Privacy page': values.privacyUrl || 'None',
          'Redirect URIs': <CodeList of={filledIn(values.redirectUris)} />,
          Scopes: <CodeList of={values.scopes} />,
          'Allowed origins (CORS)': <Origins origins={lint.corsOrigins ?? []} />,
          'Refresh retry window': values.refreshRetryWindow === 0 ? 'Off' : `${values.refreshRetryWindow} s`,
        }}
      />
      <Alert variant="light" icon={<IconInfoCircle aria-hidden />}>
        {values.mode === 'SANDBOX'
          ? 'The client works as soon as it is registered. The next page offers test data.'
          : 'The client starts as a draft. Submit it for review on its page, and a second person approves it.'}
      </Alert>
    </Stack>
  );
}
