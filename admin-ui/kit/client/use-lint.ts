import type { FormErrors } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import { call } from '../data/call.ts';
import { useView } from '../data/view.ts';
import type { Registration } from './registration.ts';

/** What the service finds wrong with a registration; null where nothing is. */
interface Lint {
  name: string | null;
  redirectUris: readonly { value: string; fault: string | null }[];
  redirectUrisFault: string | null;
  scopes: readonly { value: string; fault: string | null }[];
  scopesFault: string | null;
  loopbackAnyPort: string | null;
  refreshRetryWindow: string | null;
  privacyUrl: string | null;
  corsOrigins: readonly string[];
}

/** The selection of `lintRegistration`. */
export const LINT_FIELDS =
  'name redirectUris { value fault } redirectUrisFault scopes { value fault } scopesFault loopbackAnyPort refreshRetryWindow privacyUrl corsOrigins';

/** The application's query, by which the service checks with its own rules. */
export type LintDocument = TadaDocumentNode<{ lintRegistration: Lint }, { registration: Registration }>;

/** Without empty lines: a line that was just added is not yet a fault. */
export function filledIn(uris: readonly string[]): string[] {
  return uris.map((uri) => uri.trim()).filter((uri) => uri !== '');
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
  } satisfies FormErrors;
}

/** Validates a registration with the service's own rules while it is typed, 200 ms after the last key. */
export function useLint(document: LintDocument, registration: Registration) {
  const client = useQueryClient();
  const sent = { ...registration, redirectUris: filledIn(registration.redirectUris) };
  const [asked] = useDebouncedValue(sent, 200);
  const view = useView('lint', document, { registration: asked });
  const lint = view.data?.lintRegistration;
  const faultOf = new Map(lint?.redirectUris.map(({ value, fault }) => [value, fault ?? undefined]));
  const uris = registration.redirectUris.map((uri) => uri.trim());
  return {
    errors: lint && errorsOf(lint),
    failure: view.error,
    corsOrigins: lint?.corsOrigins,
    /** By line of the form, including empty lines. */
    redirectUriFaults: uris.map((uri, index) =>
      uri !== '' && uris.indexOf(uri) < index ? 'is a duplicate' : faultOf.get(uri),
    ),
    /** Validates the current values at once. @throws Failure */
    async check() {
      const variables = { registration: sent };
      const answer = await client.fetchQuery({
        queryKey: ['lint', variables],
        queryFn: () => call(document, variables),
      });
      return errorsOf(answer.lintRegistration);
    },
  };
}
