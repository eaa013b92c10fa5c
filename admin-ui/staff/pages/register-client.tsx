import { Box, Button, Group, Paper, Stepper } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useDisabledReason } from '../../kit/data/person.ts';
import { DraftNote } from '../../kit/parts/draft-note.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { useRegistration } from '../registration/use-registration.ts';
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
