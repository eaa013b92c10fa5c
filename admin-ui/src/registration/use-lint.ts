import { useDebouncedValue } from '@mantine/hooks';
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

/** Lines without a letter are not sent: who has just added one need not hear that it is empty. */
export function filledIn(uris: readonly string[]): string[] {
  return uris.map((uri) => uri.trim()).filter((uri) => uri !== '');
}

/**
 * What the service says of a registration, a moment after the last key; the very rules that registering applies.
 * @returns `redirectUriFaults` by the lines of the form, `isWell` only where the answer is about what is typed now
 */
export function useLint(registration: Registration) {
  const sent = { ...registration, redirectUris: filledIn(registration.redirectUris) };
  const [asked] = useDebouncedValue(sent, 200);
  const view = useView('lint', LINT, { registration: asked });
  const lint = view.data?.lintRegistration;
  const faultOf = new Map(lint?.redirectUris.map(({ value, fault }) => [value, fault ?? undefined]));
  const faults = [
    lint?.name,
    lint?.redirectUrisFault,
    lint?.scopesFault,
    lint?.loopbackAnyPort,
    lint?.refreshRetryWindow,
    ...(lint?.redirectUris ?? []).map(({ fault }) => fault),
    ...(lint?.scopes ?? []).map(({ fault }) => fault),
  ];
  const isCurrent = !view.isPlaceholderData && JSON.stringify(asked) === JSON.stringify(sent);
  return {
    lint,
    failure: view.error,
    redirectUriFaults: registration.redirectUris.map((uri, index, uris) =>
      uri.trim() !== '' && uris.findIndex((other) => other.trim() === uri.trim()) < index
        ? 'is there twice'
        : faultOf.get(uri.trim()),
    ),
    isCurrent,
    isWell: lint !== undefined && isCurrent && faults.every((fault) => fault == null),
  };
}
