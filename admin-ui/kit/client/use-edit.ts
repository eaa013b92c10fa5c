import type { FormErrors } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { call, failureOf } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useSendForm } from '../parts/form.ts';
import { type EditedClient, fieldsThatDiffer, isReviewed, type Registration } from './registration.ts';

/** Checks a registration with the service's rules, without registering it. */
const LINT = graphql(`
  query LintRegistration($registration: ClientRegistration!) {
    lintRegistration(registration: $registration) {
      name redirectUris { value fault } redirectUrisFault scopes { value fault } scopesFault loopbackAnyPort refreshRetryWindow
      privacyUrl marketplaces { value fault } marketplacesFault corsOrigins
    }
  }
`);

type Lint = ResultOf<typeof LINT>['lintRegistration'];

const SCOPES = graphql(`
  query Scopes {
    scopes { name group says isAction inUse }
  }
`);

/** All scopes; they change only with a release. */
export function useScopes() {
  return useView('scopes', SCOPES, {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** Without empty lines: a line that was just added is not yet a fault. */
export function filledIn(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** A registration as it is sent. */
export function withoutEmptyLines<Typed extends Pick<Registration, 'redirectUris' | 'marketplaces'>>(
  typed: Typed,
): Typed {
  return { ...typed, redirectUris: filledIn(typed.redirectUris), marketplaces: filledIn(typed.marketplaces) };
}

/** What is wrong with each line of a list, including empty ones. */
function faultsByLine(typed: readonly string[], linted: Lint['redirectUris'] | undefined): (string | undefined)[] {
  const faultOf = new Map(linted?.map(({ value, fault }) => [value, fault ?? undefined]));
  const lines = typed.map((line) => line.trim());
  return lines.map((line, index) =>
    line !== '' && lines.indexOf(line) < index ? 'is a duplicate' : faultOf.get(line),
  );
}

/** What the service finds wrong, by field; `true` for a list where only single entries are wrong. */
function errorsOf(lint: Lint) {
  const sentence = (subject: string, fault: string | null) => (fault === null ? undefined : `${subject} ${fault}.`);
  const hasFault = (entries: Lint['scopes']) => entries.some(({ fault }) => fault !== null) || undefined;
  return {
    name: sentence('It', lint.name),
    redirectUris: sentence('The list', lint.redirectUrisFault) ?? hasFault(lint.redirectUris),
    scopes: sentence('The list', lint.scopesFault) ?? hasFault(lint.scopes),
    loopbackAnyPort: sentence('It', lint.loopbackAnyPort),
    refreshRetryWindow: sentence('It', lint.refreshRetryWindow),
    privacyUrl: sentence('It', lint.privacyUrl),
    marketplaces: sentence('The list', lint.marketplacesFault) ?? hasFault(lint.marketplaces),
  } satisfies FormErrors;
}

/** Validates a registration with the service's own rules while it is typed, 200 ms after the last key. */
export function useLint(registration: Registration) {
  const client = useQueryClient();
  const sent = withoutEmptyLines(registration);
  const [asked] = useDebouncedValue(sent, 200);
  const view = useView('lint', LINT, { registration: asked });
  const lint = view.data?.lintRegistration;
  return {
    errors: lint && errorsOf(lint),
    failure: view.error,
    corsOrigins: lint?.corsOrigins,
    /** By line of the form, including empty lines. */
    redirectUriFaults: faultsByLine(registration.redirectUris, lint?.redirectUris),
    marketplaceFaults: faultsByLine(registration.marketplaces, lint?.marketplaces),
    /** Validates the current values immediately. @throws Failure */
    async check() {
      const variables = { registration: sent };
      const answer = await client.fetchQuery({
        queryKey: ['lint', variables],
        queryFn: () => call(LINT, variables),
      });
      return errorsOf(answer.lintRegistration);
    },
  };
}

interface EditInput {
  client: EditedClient;
  /** Reads the client again; null where it is gone. */
  reload: () => Promise<EditedClient | null>;
  /** Saves changes of a version. @throws Failure, of the code `stale_edit` where somebody else has saved since */
  save: (edit: {
    version: number;
    changes: Partial<Omit<Registration, 'mode'>>;
    note: string | null;
  }) => Promise<unknown>;
}

export type Edit = ReturnType<typeof useEdit>;

/**
 * Edits a client from the version that is shown when editing begins; a later version does not change the form. Of an approved
 * client it goes on from the edit that waits for review, where there is one.
 */
export function useEdit({ client, reload, save }: EditInput) {
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
    validate: { note: (text) => (opensReview && text.trim() === '' ? 'Say what the change is for.' : null) },
    check: () => lint.check(),
    send: () => trySaving(seen.version),
  });
  const { note: _, ...typed } = form.values;
  const lint = useLint({ ...typed, mode: client.mode });
  const mine = { ...withoutEmptyLines(typed), name: typed.name.trim() };
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
    /** What somebody else saved meanwhile, once the service has refused our save because of it. */
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
