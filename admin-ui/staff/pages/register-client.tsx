import { InformationCircleIcon } from '@heroicons/react/24/outline';
import { Alert, Box, Button, Group, Paper, Skeleton, Stack, Stepper, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { hasMarketplaces, newRegistration } from '../../kit/client/registration.ts';
import { CodeList, Origins } from '../../kit/client/registration-facts.tsx';
import {
  MarketplacesField,
  ModeField,
  RedirectUrisField,
  RetryWindowField,
  ScopesField,
} from '../../kit/client/registration-fields.tsx';
import { filledIn, useLint, useScopes, withoutEmptyLines } from '../../kit/client/use-edit.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { DraftNote } from '../../kit/parts/dialog.tsx';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { ModeMark, Page } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Facts } from '../../kit/parts/values.tsx';
import { PartnerSelect } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';

const STEPS = [
  { label: 'Basics', Step: BasicsStep },
  { label: 'Redirect URIs', Step: RedirectStep },
  { label: 'Scopes', Step: ScopesStep },
  { label: 'Summary', Step: SummaryStep },
];

/** The wizard for a new client; `?partner=ptn_…&mode=PRODUCTION` fills in what is known. */
export function RegisterClientPage() {
  const { form, lint, step, goTo } = useRegistration(STEPS.length - 1);
  const current = STEPS[step];
  const [, navigate] = useLocation();
  const disabledReason = useDisabledReason('clients:write');
  const cancel = () => {
    form.draft.forget();
    navigate('/clients');
  };
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    // so that a screen reader announces the new step
    if (shown.current !== step) place.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <Page
      title="Register a client"
      above={[{ title: 'Clients', href: '/clients' }]}
      description="Clients are public: they have no secret and use PKCE. You can edit everything except the mode later."
    >
      <DraftNote draft={form.draft} />
      <form onSubmit={form.submit} noValidate>
        <Stepper
          active={step}
          onStepClick={goTo}
          allowNextStepsSelect={false}
          size="sm"
          iconSize={30}
          classNames={{ steps: 'wizard-steps' }}
        >
          {STEPS.map(({ label }) => (
            <Stepper.Step key={label} label={label} />
          ))}
        </Stepper>
        <Paper withBorder p="lg" radius="md" mt="lg">
          {current && (
            <Box
              ref={place}
              role="group"
              tabIndex={-1}
              aria-label={`Step ${step + 1} of ${STEPS.length}: ${current.label}`}
              className="quiet-focus"
            >
              <current.Step form={form} lint={lint} />
            </Box>
          )}
          {lint.failure ? (
            <FailureAlert failure={lint.failure} title="Your input could not be checked" />
          ) : (
            <FailureAlert failure={form.failure} title="The client was not registered" />
          )}
          <Group justify="space-between" mt="lg">
            <Button variant="default" onClick={() => (step === 0 ? cancel() : goTo(step - 1))}>
              {step === 0 ? 'Cancel' : 'Back'}
            </Button>
            <Button type="submit" loading={form.submitting} disabled={disabledReason !== undefined}>
              {step === STEPS.length - 1 ? 'Register client' : 'Next'}
            </Button>
          </Group>
        </Paper>
      </form>
    </Page>
  );
}

const REGISTER_CLIENT = graphql(`
  mutation RegisterClient($partnerId: ID!, $registration: ClientRegistration!) {
    registerClient(partnerId: $partnerId, registration: $registration) { ${REFUSAL} ... on Client { id name } }
  }
`);

/** What every step of the wizard works on. */
type StepProps = Pick<ReturnType<typeof useRegistration>, 'form' | 'lint'>;

/** The form of the wizard: each step is checked before the next; the last one registers the client. */
function useRegistration(lastStep: number) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [step, setStep] = useState(0);
  const register = useChange(REGISTER_CLIENT);
  const form = useSendForm({
    initialValues: { partnerId: params.get('partner') ?? '', ...newRegistration(params) },
    draft: ['register-client', params.get('partner'), params.get('mode')].filter(Boolean).join('.'),
    async check({ partnerId }) {
      const { name, privacyUrl, redirectUris, ...others } = await lint.check();
      if (step === 0) return { partnerId: partnerId === '' ? 'Choose the partner.' : undefined, name, privacyUrl };
      const { refreshRetryWindow } = others;
      return step === 1 ? { redirectUris, refreshRetryWindow } : { name, privacyUrl, redirectUris, ...others };
    },
    async send({ partnerId, ...typed }) {
      if (step < lastStep) {
        goTo(step + 1);
        return MORE_TO_COME;
      }
      const { id } = await register.mutateAsync({ partnerId, registration: withoutEmptyLines(typed) });
      navigate(`/clients/${id}?registered=1`, { replace: true });
      return;
    },
  });
  const { partnerId: _, ...registration } = form.values;
  const lint = useLint(registration);
  const goTo = (next: number) => {
    form.clearErrors();
    setStep(next);
  };
  return { form, lint, step, goTo };
}

/** Whose client it is, for which mode, and its name. */
function BasicsStep({ form, lint }: StepProps) {
  // an empty name is reported only on going on
  const nameError = form.values.name === '' ? form.errors.name : lint.errors?.name;
  return (
    <Stack gap="lg" maw={620}>
      <PartnerSelect {...form.getInputProps('partnerId')} value={form.values.partnerId} />
      <ModeField
        production="Real fans. Starts as a draft and is enabled after a second person approves it. https only."
        {...form.getInputProps('mode')}
      />
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
function RedirectStep({ form, lint }: StepProps) {
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
function ScopesStep({ form, lint }: StepProps) {
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
      {hasMarketplaces(form.values) && (
        <MarketplacesField
          {...form.getInputProps('marketplaces')}
          value={form.values.marketplaces}
          error={lint.errors?.marketplaces}
          faults={lint.marketplaceFaults}
          mode={form.values.mode}
        />
      )}
    </Stack>
  );
}

/** The marketplaces that are typed; any where there are none. */
function Marketplaces({ of }: { of: readonly string[] }) {
  return of.length === 0 ? 'Any' : <CodeList of={of} />;
}

const NAME = graphql(`
  query PartnerName($id: ID!) {
    partner(id: $id) { id name }
  }
`);

/** All values, before the client is registered. */
function SummaryStep({ form: { values }, lint }: StepProps) {
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
          Marketplaces: hasMarketplaces(values) ? <Marketplaces of={filledIn(values.marketplaces)} /> : undefined,
          'Allowed origins (CORS)': <Origins origins={lint.corsOrigins ?? []} />,
          'Refresh retry window': values.refreshRetryWindow === 0 ? 'Off' : `${values.refreshRetryWindow} s`,
        }}
      />
      <Alert variant="light" icon={<InformationCircleIcon />}>
        {values.mode === 'SANDBOX'
          ? 'The client works as soon as it is registered. The next page offers test data.'
          : 'The client starts as a draft. Submit it for review on its page, and a second person approves it.'}
      </Alert>
    </Stack>
  );
}
