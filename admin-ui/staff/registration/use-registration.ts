import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Registration } from '../../kit/client/registration.ts';
import { filledIn, useLint } from '../../kit/client/use-lint.ts';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';
import { LINT } from './lint-document.ts';

const REGISTER_CLIENT = graphql(`
  mutation RegisterClient($partnerId: ID!, $registration: ClientRegistration!) {
    registerClient(partnerId: $partnerId, registration: $registration) { ${REFUSAL} ... on Client { id name } }
  }
`);

/** What every step of the wizard works on. */
export type StepProps = Pick<ReturnType<typeof useRegistration>, 'form' | 'lint'>;

/** The form of the wizard: each step is checked before the next; the last one registers the client. */
export function useRegistration(lastStep: number) {
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
  const lint = useLint(LINT, registration);
  const goTo = (next: number) => {
    form.clearErrors();
    setStep(next);
  };
  return { form, lint, step, goTo };
}
