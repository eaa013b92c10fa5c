import { Box, Button, Group, Paper, Stepper } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Registration } from '../../kit/client/registration.ts';
import { filledIn, useLint } from '../../kit/client/use-edit.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { DraftNote } from '../../kit/parts/dialog.tsx';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/form.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { graphql } from '../data/graphql.ts';
import { BasicsStep, RedirectStep, ScopesStep, SummaryStep } from '../registration/wizard-steps.tsx';

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
export type StepProps = Pick<ReturnType<typeof useRegistration>, 'form' | 'lint'>;

/** The form of the wizard: each step is checked before the next; the last one registers the client. */
function useRegistration(lastStep: number) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [step, setStep] = useState(0);
  const register = useChange(REGISTER_CLIENT);
  const initialValues: Registration & { partnerId: string } = {
    partnerId: params.get('partner') ?? '',
    name: '',
    mode: params.get('mode') === 'PRODUCTION' ? 'PRODUCTION' : 'SANDBOX',
    redirectUris: [''],
    scopes: ['openid', 'offline_access', 'fan:tickets:read'],
    loopbackAnyPort: false,
    refreshRetryWindow: 0,
    privacyUrl: '',
  };
  const form = useSendForm({
    initialValues,
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
      const registration = { ...typed, redirectUris: filledIn(typed.redirectUris) };
      const { id } = await register.mutateAsync({ partnerId, registration });
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
