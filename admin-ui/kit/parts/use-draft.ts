import { useEffect, useState } from 'react';
import { usePerson } from '../data/person.ts';
import { forgetDraft, readDraft, writeDraft } from './draft.ts';

/** The draft of the person who is signed in, read once, before the form is made. @param name without one there is none */
export function useFoundDraft<Values extends object>(name: string | undefined, initial: Values) {
  const { id } = usePerson();
  const [found, setFound] = useState(() => (name === undefined ? undefined : readDraft(id, name, initial)));
  return { viewerId: id, name, found, lose: () => setFound(undefined) };
}

/** Keeps what is typed as a draft, as long as it differs from what the form begins with. */
export function useKeptDraft<Values extends object>(
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
