import { useState } from 'react';
import { failureOf } from '../data/failure.ts';
import { useSendForm } from '../parts/use-send-form.ts';
import { fieldsThatDiffer, isReviewed } from './field-names.ts';
import type { EditedClient, Registration } from './registration.ts';
import { filledIn, type LintDocument, useLint } from './use-lint.ts';

interface EditInput {
  client: EditedClient;
  lint: LintDocument;
  /** Reads the client once more; null where it is gone. */
  reload: () => Promise<EditedClient | null>;
  /** Saves changes of a version. @throws Failure, of the code `stale_edit` where somebody else has saved since */
  save: (edit: {
    version: number;
    changes: Partial<Omit<Registration, 'mode'>>;
    note: string | null;
  }) => Promise<unknown>;
  /** Shown where the note is missing. */
  noteMissing: string;
}

export type Edit = ReturnType<typeof useEdit>;

/**
 * Edits a client from the version that is shown when editing begins; a later version does not change the form. Of an approved
 * client it goes on from the edit that waits for review, where there is one.
 */
export function useEdit({ client, lint: document, reload, save, noteMissing }: EditInput) {
  const [seen, setSeen] = useState(client);
  const [base, setBase] = useState(client.registration);
  const [theirs, setTheirs] = useState<EditedClient>();

  /** Handles the refusal that a person can decide about. */
  const trySaving = async (version: number) => {
    const changes = Object.fromEntries(changed.map((field) => [field, mine[field]]));
    try {
      await save({ version, changes, note: opensReview ? form.values.note.trim() : null });
    } catch (error) {
      if (failureOf(error).code !== 'stale_edit') throw error;
      const latest = await reload();
      if (!latest) throw error;
      setTheirs(latest);
    }
  };
  const form = useSendForm({
    initialValues: { ...client.registration, note: '' },
    validate: { note: (text) => (opensReview && text.trim() === '' ? noteMissing : null) },
    check: () => lint.check(),
    send: () => trySaving(seen.version),
  });
  const { note: _, ...typed } = form.values;
  const lint = useLint(document, { ...typed, mode: client.mode });
  const mine = { ...typed, name: typed.name.trim(), redirectUris: filledIn(typed.redirectUris) };
  const changed = fieldsThatDiffer(base, mine);
  const isReviewedEdit = seen.isInForce && changed.some(isReviewed);
  const opensReview = isReviewedEdit && !seen.isWaiting;

  return {
    form,
    lint,
    mine,
    /** Fields that differ from what the edit began with. */
    changed,
    /** Whether the registration is in force, as of the version that is edited. */
    isInForce: seen.isInForce,
    /** Whether saving changes nothing for fans until a second person has approved it. */
    isReviewedEdit,
    /** Whether saving begins a review, which needs a note. */
    opensReview,
    /** What somebody else saved meanwhile, once the service has refused ours for it. */
    theirs,
    /** Saves what was typed over what somebody else saved. */
    async saveOver(latest: EditedClient) {
      setSeen(latest);
      setTheirs(undefined);
      await form.attempt(() => trySaving(latest.version));
    },
    /** Goes on from what somebody else saved. */
    goOnFrom(latest: EditedClient) {
      setSeen(latest);
      setBase(latest.registration);
      form.setValues(latest.registration);
      setTheirs(undefined);
    },
  };
}
