import { createContext, useContext } from 'react';

/** The person who is signed in, as the parts see them. Each application provides its own. */
export interface Person {
  id: string;
  /** Why this person can’t do what needs the right; undefined where they can. */
  disabledReason(right: string): string | undefined;
  /** Whether they signed in so recently that critical steps need no more. */
  isFresh: boolean;
}

const PersonContext = createContext<Person | undefined>(undefined);

export const PersonProvider = PersonContext.Provider;

/** The person who is signed in. */
export function usePerson(): Person {
  const person = useContext(PersonContext);
  if (!person) throw new Error('usePerson needs a signed-in person');
  return person;
}

/** Why the person who is signed in can’t do something; undefined where they can. */
export function useDisabledReason(right: string): string | undefined {
  return usePerson().disabledReason(right);
}
