import { Button, Group } from '@mantine/core';
import { useLocation, useSearchParams } from 'wouter';
import { newRegistration } from '../../kit/client/registration.ts';
import { ModeField, RegistrationFields } from '../../kit/client/registration-fields.tsx';
import { useLint, useScopes, withoutEmptyLines } from '../../kit/client/use-edit.ts';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { DraftNote } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { Page, Section } from '../../kit/parts/page.tsx';

const REGISTER = graphql(`
  mutation RegisterClient($registration: ClientRegistration!) {
    registerClient(registration: $registration) { ${REFUSAL} ... on Client { id name } }
  }
`);

/** Registers a client; `?mode=PRODUCTION` begins with that mode. */
export function RegisterClientPage() {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const register = useChange(REGISTER);
  const scopes = useScopes();
  const form = useSendForm({
    initialValues: newRegistration(params),
    draft: 'register-client',
    check: () => lint.check(),
    send: async (typed) => {
      const { id } = await register.mutateAsync({ registration: withoutEmptyLines(typed) });
      navigate(`/clients/${id}?registered=1`, { replace: true });
    },
  });
  const lint = useLint(form.values);
  // what is empty is reported only on sending
  const isFirst = form.values.redirectUris.every((uri) => uri.trim() === '');
  const errors = lint.errors && {
    ...lint.errors,
    ...(form.values.name === '' && { name: form.errors.name as string | undefined }),
    ...(isFirst && { redirectUris: form.errors.redirectUris as string | undefined }),
  };
  const cancel = () => {
    form.draft.forget();
    navigate('/clients');
  };
  return (
    <Page
      title="Register a client"
      above={[{ title: 'Clients', href: '/clients' }]}
      description="Clients are public: they have no secret and use PKCE. You can edit everything except the mode later."
    >
      <DraftNote draft={form.draft} />
      <form onSubmit={form.submit} noValidate>
        <Section title="Registration">
          <ModeField
            production="Real fans. Starts as a draft, which you submit for review. https only."
            {...form.getInputProps('mode')}
          />
          <RegistrationFields
            form={form}
            lint={{ ...lint, errors }}
            client={{ mode: form.values.mode, corsOrigins: [] }}
            scopes={scopes.data?.scopes}
          />
          {lint.failure ? (
            <FailureAlert failure={lint.failure} title="Your input could not be checked" />
          ) : (
            <FailureAlert failure={form.failure} title="The client was not registered" />
          )}
          <Group gap="xs">
            <Button type="submit" loading={form.submitting}>
              Register client
            </Button>
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          </Group>
        </Section>
      </form>
    </Page>
  );
}
