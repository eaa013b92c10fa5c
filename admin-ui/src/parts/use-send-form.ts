import { type FormErrors, type UseFormInput, useForm } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { type Failure, failureOf } from '../data/failure.ts';

interface SendFormInput<Values> extends UseFormInput<Values> {
  /** Asks the service what is wrong, after `validate`. */
  check?: (values: Values) => Promise<FormErrors>;
  /** What it throws is kept as `failure`, beside what was typed. */
  send: (values: Values) => Promise<unknown>;
}

/** A form that is sent to the service. Sending it with an error moves the focus to the first field that has one. */
export function useSendForm<Values extends object>({ check, send, ...input }: SendFormInput<Values>) {
  const form = useForm<Values>(input);
  const [failure, setFailure] = useState<Failure | null>(null);
  const attempt = async (action: () => Promise<unknown>) => {
    setFailure(null);
    await action().catch((error: unknown) => setFailure(failureOf(error)));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    const checkAndSend = async (values: Values) => {
      const errors = (await check?.(values)) ?? {};
      form.setErrors(errors);
      if (hasErrors(errors)) focusFirstError(element);
      else await send(values);
    };
    form.onSubmit(
      (values) => attempt(() => checkAndSend(values)),
      () => focusFirstError(element),
    )(event);
  };
  return { ...form, failure, attempt, submit };
}

export function hasErrors(errors: FormErrors): boolean {
  return Object.values(errors).some((error) => error !== undefined && error !== null);
}

/** Waits until the errors are shown. */
function focusFirstError(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** What is wrong with the name of a partner, a person or a token. */
export function nameError(name: string): string | null {
  if (name.trim() === '') return 'Give it a name.';
  return name.trim().length > 120 ? `${name.trim().length} characters; 120 at most.` : null;
}
