import { useState } from 'react';
import { call } from '../data/call.ts';
import { failureOf } from '../data/failure.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { notify } from '../parts/undo.tsx';
import { useSendForm } from '../parts/use-send-form.ts';
import { filledIn, useLint } from '../registration/use-lint.ts';
import { CLIENT, type ClientData } from './document.ts';
import { fieldsThatDiffer } from './field-names.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $confirmReview: Boolean!) {
    editClient(clientId: $clientId, version: $version, changes: $changes, confirmReview: $confirmReview) {
      ${REFUSAL} ... on Client { id name status }
    }
  }
`);

export type Edit = ReturnType<typeof useEdit>;

/** Edits a client from the version that is shown when editing begins; a later version does not change the form. */
export function useEdit(client: ClientData, onDone: () => void) {
  const [base, setBase] = useState(client);
  const [theirs, setTheirs] = useState<ClientData>();
  const [asksForReview, setAsksForReview] = useState(false);
  const editClient = useChange(EDIT_CLIENT);

  const save = async (version: number, confirmReview: boolean) => {
    const changes = Object.fromEntries(changed.map((field) => [field, mine[field]]));
    const saved = await editClient.mutateAsync({ clientId: client.id, version, changes, confirmReview });
    notify(`${saved.name} is saved.`);
    onDone();
  };
  /** Handles the refusals that a person can decide about. */
  const trySaving = async (version: number) => {
    try {
      await save(version, false);
    } catch (error) {
      const { code } = failureOf(error);
      if (code === 'confirmation_required') return setAsksForReview(true);
      if (code !== 'stale_edit') throw error;
      const latest = await call(CLIENT, { id: client.id });
      if (latest.client) setTheirs(latest.client);
    }
  };
  const form = useSendForm({
    initialValues: registrationOf(client),
    check: () => lint.check(),
    send: () => trySaving(base.version),
  });
  const lint = useLint({ ...form.values, mode: client.mode });
  const mine = { ...form.values, name: form.values.name.trim(), redirectUris: filledIn(form.values.redirectUris) };
  const changed = fieldsThatDiffer(registrationOf(base), mine);

  return {
    form,
    lint,
    mine,
    /** Fields that differ from what the edit began with. */
    changed,
    /** What somebody else saved meanwhile, once the service has refused ours for it. */
    theirs,
    /** Whether saving would take the client out of use until it is reviewed, and that is still to be confirmed. */
    asksForReview,
    /** Saves and sends back to review. @throws Failure */
    saveAndReview: () => save(base.version, true),
    cancelReview: () => setAsksForReview(false),
    /** Saves what was typed over what somebody else saved. */
    async saveOver({ version }: ClientData) {
      setBase({ ...base, version });
      setTheirs(undefined);
      await form.attempt(() => trySaving(version));
    },
    /** Goes on from what somebody else saved. */
    goOnFrom(latest: ClientData) {
      setBase(latest);
      form.setValues(registrationOf(latest));
      setTheirs(undefined);
    },
  };
}

function registrationOf({ name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow }: ClientData) {
  return { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow };
}
