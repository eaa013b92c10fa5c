import { type FormEvent, useState } from 'react';
import { type Failure, failureOf } from '../data/failure.ts';

type Problems<Values> = { [Name in keyof Values]?: string | undefined };

/** The values of a form, what is wrong with each once it was sent or left, and the state of sending it. */
export interface Fields<Values> {
  values: Values;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  problems: Problems<Values>;
  failure: Failure | null;
  isSending: boolean;
  submit(event: FormEvent): void;
}

/**
 * @param check what is wrong, by field; nothing where all is well
 * @param send what it throws is kept as `failure`, beside what was typed
 */
export function useFields<Values extends object>(
  initial: Values,
  check: (values: Values) => Problems<Values>,
  send: (values: Values) => Promise<unknown>,
): Fields<Values> {
  const [values, setValues] = useState(initial);
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const problems = check(values);

  const run = async () => {
    setSending(true);
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setSending(false);
    }
  };

  return {
    values,
    set: (name, value) => setValues((current) => ({ ...current, [name]: value })),
    problems: tried ? problems : {},
    failure,
    isSending,
    submit(event) {
      event.preventDefault();
      setTried(true);
      const isWell = Object.values(problems).every((problem) => problem === undefined);
      if (isWell) return void run();
      const form = event.currentTarget;
      // the first field with something wrong, once it is marked
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    },
  };
}

/** @returns what is wrong with a name of a partner or client */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Give it a name.';
  return name.trim().length > 120 ? `${name.trim().length} characters; 120 at most.` : undefined;
}
