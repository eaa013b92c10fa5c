import { useState } from 'react';
import { call } from '../data/call.ts';
import { Failure, failureOf } from '../data/failure.ts';
import { graphql } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { notify } from '../parts/undo.tsx';
import { filledIn } from '../registration/use-lint.ts';
import { CLIENT, type ClientData } from './document.ts';
import { type EditedRegistration, fieldsThatDiffer } from './field-names.ts';

const EDIT_CLIENT = graphql(`
  mutation EditClient($clientId: ID!, $version: Int!, $changes: ClientChanges!, $confirmReview: Boolean!) {
    editClient(clientId: $clientId, version: $version, changes: $changes, confirmReview: $confirmReview) {
      __typename
      ... on Client { id name status }
      ... on Refusal { code message }
    }
  }
`);

/** What is being edited of a client. */
export interface Edit {
  typed: EditedRegistration & { redirectUris: string[]; scopes: string[] };
  change(changes: Partial<Edit['typed']>): void;
  /** Fields that differ from what the edit began with. */
  changed: readonly string[];
  /** What somebody else saved meanwhile, once the service has refused ours for it. */
  theirs: ClientData | undefined;
  /** Whether saving would take the client out of use until it is reviewed, and that is still to be confirmed. */
  asksForReview: boolean;
  failure: Failure | null;
  isSaving: boolean;
  save(): Promise<void>;
  /** Saves and sends back to review. @throws Failure */
  saveAndReview(): Promise<void>;
  /** Saves what was typed over what somebody else saved. */
  saveOverTheirs(): Promise<void>;
  /** Goes on from what somebody else saved. */
  takeTheirs(): void;
  cancelReview(): void;
}

/** Edits a client from the version that is shown when editing begins: what arrives meanwhile does not move it. */
export function useEdit(client: ClientData, onDone: () => void): Edit {
  const [base, setBase] = useState(client);
  const [typed, setTyped] = useState(() => registrationOf(client));
  const [theirs, setTheirs] = useState<ClientData>();
  const [asksForReview, setAsksForReview] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const editClient = useChange(EDIT_CLIENT);
  const mine = { ...typed, name: typed.name.trim(), redirectUris: filledIn(typed.redirectUris) };
  const changed = fieldsThatDiffer(registrationOf(base), mine);

  const send = async (version: number, confirmReview: boolean) => {
    const changes = Object.fromEntries(changed.map((field) => [field, mine[field]]));
    const saved = await editClient.mutateAsync({ clientId: client.id, version, changes, confirmReview });
    notify(`${saved.name} is saved.`);
    onDone();
  };
  const attempt = async (version: number) => {
    setFailure(null);
    try {
      await send(version, false);
    } catch (error) {
      await understand(failureOf(error));
    }
  };
  const understand = async (refusal: Failure) => {
    if (refusal.code === 'confirmation_required') return setAsksForReview(true);
    if (refusal.code !== 'stale_edit') return setFailure(refusal);
    const latest = await call(CLIENT, { id: client.id }).catch(failureOf);
    if (latest instanceof Failure) setFailure(latest);
    else if (latest.client) setTheirs(latest.client);
  };

  return {
    typed,
    change: (changes) => setTyped((current) => ({ ...current, ...changes })),
    changed,
    theirs,
    asksForReview,
    failure,
    isSaving: editClient.isPending,
    save: () => attempt(base.version),
    saveAndReview: () => send(base.version, true),
    async saveOverTheirs() {
      if (!theirs) return;
      setBase({ ...base, version: theirs.version });
      setTheirs(undefined);
      await attempt(theirs.version);
    },
    takeTheirs() {
      if (!theirs) return;
      setBase(theirs);
      setTyped(registrationOf(theirs));
      setTheirs(undefined);
    },
    cancelReview: () => setAsksForReview(false),
  };
}

function registrationOf({
  name,
  redirectUris,
  scopes,
  loopbackAnyPort,
  refreshRetryWindow,
}: ClientData): Edit['typed'] {
  return { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow };
}
