import { type FormErrors, type UseFormInput, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { type Failure, failureOf } from '../data/call.ts';
import { usePerson } from '../data/person.ts';
import { forgetDraft, readDraft, writeDraft } from './draft.ts';

/** The draft of the person who is signed in, read once, before the form is made. @param name without one there is none */
function useFoundDraft<Values extends object>(name: string | undefined, initial: Values) {
  const { id } = usePerson();
  const [found, setFound] = useState(() => (name === undefined ? undefined : readDraft(id, name, initial)));
  return { viewerId: id, name, found, lose: () => setFound(undefined) };
}

/** Keeps what is typed as a draft, as long as it differs from what the form begins with. */
function useKeptDraft<Values extends object>(
  { viewerId, name, found, lose }: ReturnType<typeof useFoundDraft<Values>>,
  initial: Values,
  values: Values,
) {
  const forget = () => {
    if (name !== undefined) forgetDraft(viewerId, name);
  };
  const text = JSON.stringify(values);
  const isTyped = text !== JSON.stringify(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` stands for the values, which are new objects each time
  useEffect(() => {
    if (!isTyped) forget();
    else if (name !== undefined) writeDraft(viewerId, name, values);
  }, [text, isTyped]);
  return { isRestored: found !== undefined, forget, lose };
}

/** A secret that was just made and can't be read again. */
export interface Shown {
  title: string;
  /** The secret, and what it is: "Token". */
  secret: string;
  label: string;
  /** What to do with it, and how long it works. */
  advice: string;
  children?: ReactNode;
}

/** What `send` returns to have a secret shown, once, before the form closes. */
export class ShowOnce {
  readonly shown: Shown;

  constructor(shown: Shown) {
    this.shown = shown;
  }
}

interface SendFormInput<Values> extends UseFormInput<Values> {
  /** Asks the service what is wrong, after `validate`. */
  check?: (values: Values) => Promise<FormErrors>;
  initialValues: Values;
  /** Keeps what was typed and not sent under this name (`draft.ts`): for forms without secrets. */
  draft?: string;
  /** What it throws is kept as `failure`, beside what was typed. Returns `MORE_TO_COME` where the form goes on. */
  send: (values: Values) => Promise<unknown>;
  /** Closes its dialog, also once it is sent. */
  onClose?: () => void;
}

/** Returned by a step of a form that is not the last one. */
export const MORE_TO_COME = Symbol('more to come');

/** A form that is sent to the service. Sending it with an error moves the focus to the first field that has one. */
export function useSendForm<Values extends object>(plan: SendFormInput<Values>) {
  const { check, send, draft: name, onClose, ...input } = plan;
  const { initialValues } = input;
  const found = useFoundDraft(name, initialValues);
  const form = useForm<Values>({ ...input, initialValues: found.found ?? initialValues });
  const kept = useKeptDraft(found, initialValues, form.values);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [shown, setShown] = useState<Shown>();
  const attempt = async (action: () => Promise<unknown>) => {
    setFailure(null);
    await action().catch((error: unknown) => {
      const { field, message } = failureOf(error);
      if (field !== undefined && field in form.values) form.setFieldError(field, message);
      else setFailure(failureOf(error));
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    const checkAndSend = async (values: Values) => {
      const errors = (await check?.(values)) ?? {};
      form.setErrors(errors);
      if (hasErrors(errors)) return focusFirstError(element);
      const next = await send(values);
      if (next === MORE_TO_COME) return;
      kept.forget();
      if (next instanceof ShowOnce) setShown(next.shown);
      else onClose?.();
    };
    form.onSubmit(
      (values) => attempt(() => checkAndSend(values)),
      () => focusFirstError(element),
    )(event);
  };
  const draft = {
    isRestored: kept.isRestored,
    forget: kept.forget,
    discard: () => {
      form.setValues(initialValues);
      form.clearErrors();
      kept.lose();
    },
  };
  return { ...form, failure, attempt, submit, draft, shown, onClose };
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
  if (name.trim() === '') return 'Enter a name.';
  return name.trim().length > 120 ? `Shorten the name to 120 characters (now ${name.trim().length}).` : null;
}
