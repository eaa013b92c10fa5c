import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { call } from '../data/call.ts';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

/** What can be registered of a client, as it is typed. */
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

/** What the service says of a registration, part by part; null where nothing is wrong. */
export type Lint = ResultOf<typeof LINT>['lintRegistration'];

/** Lines without a letter are not sent: who has just added one need not hear that it is empty. */
export function filledIn(uris: readonly string[]): string[] {
  return uris.map((uri) => uri.trim()).filter((uri) => uri !== '');
}

/** Whether nothing is wrong with a list and each of its entries. */
export function isListWell(entries: Lint['scopes'], fault: string | null): boolean {
  return fault === null && entries.every((entry) => entry.fault === null);
}

/** Whether it would be registered. */
export function isWell(lint: Lint): boolean {
  return (
    lint.name === null &&
    isListWell(lint.redirectUris, lint.redirectUrisFault) &&
    isListWell(lint.scopes, lint.scopesFault) &&
    lint.loopbackAnyPort === null &&
    lint.refreshRetryWindow === null
  );
}

/**
 * What the service says of a registration, a moment after the last key: by the very rules that registering applies.
 * `check` asks about what is typed at this moment. @throws Failure
 */
export function useLint(registration: Registration) {
  const client = useQueryClient();
  const sent = { ...registration, redirectUris: filledIn(registration.redirectUris) };
  const [asked] = useDebouncedValue(sent, 200);
  const view = useView('lint', LINT, { registration: asked });
  const lint = view.data?.lintRegistration;
  const faultOf = new Map(lint?.redirectUris.map(({ value, fault }) => [value, fault ?? undefined]));
  const uris = registration.redirectUris.map((uri) => uri.trim());
  return {
    lint,
    failure: view.error,
    /** By the lines of the form, empty ones included. */
    redirectUriFaults: uris.map((uri, index) =>
      uri !== '' && uris.indexOf(uri) < index ? 'is there twice' : faultOf.get(uri),
    ),
    async check(): Promise<Lint> {
      const variables = { registration: sent };
      const answer = await client.fetchQuery({ queryKey: ['lint', variables], queryFn: () => call(LINT, variables) });
      return answer.lintRegistration;
    },
  };
}
