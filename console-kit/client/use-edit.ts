import { useState } from 'react';
import { fieldsThatDiffer, isReviewed } from '../../../console-kit/client/field-names.ts';
import { filledIn, useLint } from '../../../console-kit/client/use-lint.ts';
import { call } from '../../../console-kit/data/call.ts';
import { REFUSAL } from '../../../console-kit/data/document.ts';
import { failureOf } from '../../../console-kit/data/failure.ts';
import { useChange } from '../../../console-kit/data/view.ts';
import { notify } from '../../../console-kit/parts/undo.tsx';
import { useSendForm } from '../../../console-kit/parts/use-send-form.ts';
import { graphql } from '../data/graphql.ts';
import { LINT } from '../registration/lint-document.ts';
import { CLIENT, type ClientData, editableOf, isInForce, waitingEditOf } from './document.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
    editClient(clientId: $clientId, version: $version, changes: $changes, note: $note) {
      ${REFUSAL} ... on Client { id name openReview { id } }
    }
  }
`);

export type Edit = ReturnType<typeof useEdit>;

/**
 * Edits a client from the version that is shown when editing begins; a later version does not change the form. Of an approved
 * client it goes on from the edit that waits for review, where there is one.
 */
export function useEdit(client: ClientData, onDone: () => void) {
  const [seen, setSeen] = useState(client);
  const [base, setBase] = useState(() => editableOf(client));
  const [theirs, setTheirs] = useState<ClientData>();
  const editClient = useChange(EDIT_CLIENT);

  const save = async (version: number) => {
    const changes = Object.fromEntries(changed.map((field) => [field, mine[field]]));
    const note = opensReview ? form.values.note.trim() : null;
    const saved = await editClient.mutateAsync({ clientId: client.id, version, changes, note });
    notify(
      opensReview && saved.openReview ? `The edit of ${saved.name} is waiting for review.` : `${saved.name} is saved.`,
    );
    onDone();
  };
  /** Handles the refusal that a person can decide about. */
  const trySaving = async (version: number) => {
    try {
      await save(version);
    } catch (error) {
      if (failureOf(error).code !== 'stale_edit') throw error;
      const latest = await call(CLIENT, { id: client.id });
      if (latest.client) setTheirs(latest.client);
    }
  };
  const form = useSendForm({
    initialValues: { ...editableOf(client), note: '' },
    validate: { note: (text) => (opensReview && text.trim() === '' ? 'Tell the reviewers what this is for.' : null) },
    check: () => lint.check(),
    send: () => trySaving(seen.version),
  });
  const { note: _, ...typed } = form.values;
  const lint = useLint(LINT, { ...typed, mode: client.mode });
  const mine = { ...typed, name: typed.name.trim(), redirectUris: filledIn(typed.redirectUris) };
  const changed = fieldsThatDiffer(base, mine);
  const isReviewedEdit = isInForce(seen) && changed.some(isReviewed);
  const opensReview = isReviewedEdit && !waitingEditOf(seen);

  return {
    form,
    lint,
    mine,
    /** Fields that differ from what the edit began with. */
    changed,
    /** Whether saving changes nothing for fans until a second person has approved it. */
    isReviewedEdit,
    /** Whether saving begins a review, which needs a note. */
    opensReview,
    /** What somebody else saved meanwhile, once the service has refused ours for it. */
    theirs,
    /** Saves what was typed over what somebody else saved. */
    async saveOver(latest: ClientData) {
      setSeen(latest);
      setTheirs(undefined);
      await form.attempt(() => trySaving(latest.version));
    },
    /** Goes on from what somebody else saved. */
    goOnFrom(latest: ClientData) {
      setSeen(latest);
      setBase(editableOf(latest));
      form.setValues(editableOf(latest));
      setTheirs(undefined);
    },
  };
}
