import { Box, Button, Group, Paper, Stepper } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { Page } from '../parts/page.tsx';
import { filledIn, isListWell, isWell, type Lint, type Registration, useLint } from '../registration/use-lint.ts';
import { BasicsStep } from '../registration/wizard/basics-step.tsx';
import { RedirectStep } from '../registration/wizard/redirect-step.tsx';
import { ScopesStep } from '../registration/wizard/scopes-step.tsx';
import { SummaryStep } from '../registration/wizard/summary-step.tsx';

const REGISTER_CLIENT = graphql(`
  mutation RegisterClient($partnerId: ID!, $registration: ClientRegistration!) {
    registerClient(partnerId: $partnerId, registration: $registration) {
      __typename
      ... on Client { id name }
      ... on Refusal { code message }
    }
  }
`);

const STEPS = ['Basics', 'Redirect URIs', 'Scopes', 'Summary'];

/** The wizard for a new client; `?partner=ptn_…&mode=PRODUCTION` fills in what is known. */
export function RegisterClientPage() {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [step, setStep] = useState(0);
  const [tried, setTried] = useState(false);
  const [partnerId, setPartnerId] = useState(params.get('partner') ?? '');
  const [registration, setRegistration] = useState<Registration>({
    name: '',
    mode: params.get('mode') === 'PRODUCTION' ? 'PRODUCTION' : 'SANDBOX',
    redirectUris: [''],
    scopes: ['openid', 'offline_access', 'fan:tickets:read'],
    loopbackAnyPort: false,
    refreshRetryWindow: 0,
  });
  const change = (changes: Partial<Registration>) => setRegistration((current) => ({ ...current, ...changes }));
  const { lint, failure, redirectUriFaults, check } = useLint(registration);
  const register = useChange(REGISTER_CLIENT);
  const disabledReason = useDisabledReason('clients:write');

  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    // the focus goes along, so that a screen reader says which step has come
    if (shown.current !== step) place.current?.focus();
    shown.current = step;
  }, [step]);
  const goTo = (next: number) => {
    setTried(false);
    setStep(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const answer = await check().catch(() => undefined);
    if (!answer) return;
    if (!isStepWell(step, partnerId, answer)) {
      return void requestAnimationFrame(() =>
        place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      );
    }
    if (step < STEPS.length - 1) return goTo(step + 1);
    const sent = { ...registration, redirectUris: filledIn(registration.redirectUris) };
    const client = await register.mutateAsync({ partnerId, registration: sent }).catch(() => undefined);
    if (client) navigate(`/clients/${client.id}?registered=1`, { replace: true });
  };

  const shared = { registration, change, tried };
  return (
    <Page
      title="Register a client"
      above={[{ title: 'Clients', href: '/clients' }]}
      description="Clients are public: they have no secret and prove themselves by PKCE. Everything but the mode can be edited later."
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stepper
          active={step}
          onStepClick={goTo}
          allowNextStepsSelect={false}
          size="sm"
          iconSize={30}
          classNames={{ steps: 'wizard-steps' }}
        >
          {STEPS.map((label) => (
            <Stepper.Step key={label} label={label} />
          ))}
        </Stepper>
        <Paper withBorder p="lg" radius="md" mt="lg">
          <Box
            ref={place}
            role="group"
            tabIndex={-1}
            aria-label={`Step ${step + 1} of ${STEPS.length}: ${STEPS[step]}`}
            className="wizard-step"
          >
            {step === 0 && (
              <BasicsStep
                {...shared}
                partnerId={partnerId}
                onPartner={setPartnerId}
                nameFault={lint?.name ?? undefined}
              />
            )}
            {step === 1 && <RedirectStep {...shared} lint={lint} faults={redirectUriFaults} />}
            {step === 2 && <ScopesStep {...shared} fault={lint?.scopesFault ?? undefined} />}
            {step === 3 && (
              <SummaryStep registration={registration} partnerId={partnerId} origins={lint?.corsOrigins ?? []} />
            )}
          </Box>
          <FailureAlert failure={failure} title="What you type can’t be checked" />
          <FailureAlert failure={register.error} title="The client was not registered" />
          <Group justify="space-between" mt="lg">
            <Button variant="default" onClick={() => (step === 0 ? navigate('/clients') : goTo(step - 1))}>
              {step === 0 ? 'Cancel' : 'Back'}
            </Button>
            <Button type="submit" loading={register.isPending} disabled={disabledReason !== undefined}>
              {step === STEPS.length - 1 ? 'Register client' : 'Next'}
            </Button>
          </Group>
        </Paper>
      </form>
    </Page>
  );
}

function isStepWell(step: number, partnerId: string, lint: Lint): boolean {
  if (step === 0) return partnerId !== '' && lint.name === null;
  if (step === 1) return isListWell(lint.redirectUris, lint.redirectUrisFault);
  return isWell(lint);
}
