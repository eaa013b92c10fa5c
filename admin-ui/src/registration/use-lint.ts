import type { FormErrors } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { call } from '../../../console-kit/data/call.ts';
import { useView } from '../../../console-kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

/** A client's registration as it is typed. */
export interface Registration {
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
}

const LINT = graphql(`
  query LintRegistration($registration: ClientRegistration!) {
    lintRegistration(registration: $registration) {
      name
      redirectUris { value fault }
      redirectUrisFault
      scopes { value fault }
      scopesFault
      loopbackAnyPort
      refreshRetryWindow
      corsOrigins
    }
  }
`);

type Lint = ResultOf<typeof LINT>['lintRegistration'];

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
  } satisfies FormErrors;
}

/** Validates a registration with the service's own rules while it is typed, 200 ms after the last key. */
export function useLint(registration: Registration) {
  const client = useQueryClient();
  const sent = { ...registration, redirectUris: filledIn(registration.redirectUris) };
  const [asked] = useDebouncedValue(sent, 200);
  const view = useView('lint', LINT, { registration: asked });
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
      const answer = await client.fetchQuery({ queryKey: ['lint', variables], queryFn: () => call(LINT, variables) });
      return errorsOf(answer.lintRegistration);
    },
  };
}
